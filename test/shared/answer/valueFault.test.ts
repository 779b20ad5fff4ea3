import {
	bad,
	faultOf,
	tellFault,
	unexpected,
	type Fault,
} from '../../../nodes/shared/answer/valueFault';

const NUMBER = { field: 'toNumber', name: 'To Number' } as const;
const problem = 'expected text';
const loop: { self?: unknown } = {};
loop.self = loop;

test.each<[fault: Fault, told: string]>([
	[{ kind: 'empty', ...NUMBER }, 'To Number is empty'],
	[{ ...bad('7', 'is short'), ...NUMBER }, 'To Number: "7" is short'],
	[bad('7', 'is short'), '"7" is short'],
	[bad('7'.repeat(41), 'is long'), `"${'7'.repeat(40)}…" is long`],
	[bad('\ufeff7\n', 'is short'), '"\\ufeff7\\n" is short'],
	[unexpected(['\u00a07\n'], problem), 'expected text, not ["\\u00a07\\n"]'],
	[{ ...unexpected(['7'], problem), ...NUMBER }, 'To Number: expected text, not ["7"]'],
	[unexpected(NaN, problem), 'expected text, not NaN'],
	[unexpected(false, problem), 'expected text, not false'],
	[unexpected('x'.repeat(40), problem), `expected text, not "${'x'.repeat(39)}…`],
	[faultOf(problem, NUMBER), 'To Number: expected text'],
	[faultOf(problem), 'expected text'],
])('%j is told as %s', (fault, told) => {
	expect(tellFault(fault)).toBe(told);
});

test.each([undefined, null, '', ' ', loop, 7n, () => 1, Symbol('x')])(
	'what is blank, or nothing that JSON knows, is not shown',
	(value) => {
		expect(tellFault(unexpected(value, problem))).toBe(problem);
	},
);
