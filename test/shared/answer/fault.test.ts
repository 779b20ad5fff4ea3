import { faultOf, tellFault, tellFaults, type Fault } from '../../../nodes/shared/answer/fault';

const NUMBER = { field: 'toNumber', name: 'To Number' } as const;
const problem = 'expected text';
const loop: { self?: unknown } = {};
loop.self = loop;

test.each<[fault: Fault, told: string]>([
	[{ kind: 'empty', ...NUMBER }, 'To Number is empty'],
	[{ kind: 'bad', ...NUMBER, value: '7', problem: 'is short' }, 'To Number: "7" is short'],
	[{ kind: 'bad', value: '7', problem: 'is short' }, '"7" is short'],
	[{ kind: 'bad', value: '7'.repeat(41), problem: 'is long' }, `"${'7'.repeat(40)}…" is long`],
	[{ kind: 'unexpected', ...NUMBER, problem, value: ['7'] }, 'To Number: expected text, not ["7"]'],
	[{ kind: 'unexpected', problem, value: NaN }, 'expected text, not NaN'],
	[{ kind: 'unexpected', problem, value: false }, 'expected text, not false'],
	[
		{ kind: 'unexpected', problem, value: 'x'.repeat(40) },
		`expected text, not "${'x'.repeat(39)}…`,
	],
	[faultOf(problem, NUMBER), 'To Number: expected text'],
	[faultOf(problem), 'expected text'],
])('%j is told as %s', (fault, told) => {
	expect(tellFault(fault)).toBe(told);
});

test.each([undefined, null, '', ' ', loop, 7n, () => 1, Symbol('x')])(
	'what is blank, or nothing that JSON knows, is not shown',
	(value) => {
		expect(tellFault({ kind: 'unexpected', problem, value })).toBe(problem);
	},
);

test('several are told in one sentence', () => {
	expect(tellFaults([{ kind: 'empty', ...NUMBER }, faultOf(problem)])).toBe(
		'To Number is empty; expected text',
	);
	expect(tellFaults([])).toBe('');
});
