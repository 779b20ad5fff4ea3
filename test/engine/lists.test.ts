import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { groupBy } from '../../nodes/shared/values';
import { FROM_NUMBER, ASSISTANT_ID } from '../simulator/seed';
import { until } from '../until';
import { minutesAgo, TABLE, useBookWorld } from './contactBook';
import { ada, bob, CONTINUE, eve } from './contacts';
import { retryRun, runNode, startNode } from './engine';
import { isFor } from './recipients';
import { calledOnce, numbers } from './world';

const { simulator, tables, calls, outputs, rows, reached } = useBookWorld();

const LIST = { list: 'Spring' };
const TRIES = { ...LIST, attempts: 2, notAgainWithin: 24 };
const reasons = (output: readonly IDataObject[]) =>
	output.map(({ result, reason }) => reason ?? result);

const run = async (items: IDataObject[], rules: INodeParameters, options: INodeParameters = {}) =>
	await runNode(calls(items, rules, CONTINUE, options));

/** As time and the events of calls do. */
function change(values: Record<string, string>, phone?: string): void {
	for (const row of tables().table(TABLE).rows)
		if (phone === undefined || row.phone === phone) Object.assign(row, values);
}

const sms = (items: IDataObject[]) => ({
	...calls(items),
	parameters: {
		...{ resource: 'sms', operation: 'start', assistantId: ASSISTANT_ID, message: 'Hello' },
		...{ fromNumber: FROM_NUMBER, toNumber: '={{ $json.to }}', contactRules: LIST },
	},
});

test('a list that runs again and again calls everybody until reached, as often as allowed', async () => {
	const people = [ada, bob, eve];

	const first = await run(people, TRIES);
	expect(rows()).toMatchObject(people.map(() => LIST));
	const open = await run(people, TRIES);
	change({ contactedAt: minutesAgo(25 * 60), reached: 'no' });
	change({ reached: 'yes' }, ada.to);
	const second = await run(people, TRIES);
	change({ contactedAt: minutesAgo(25 * 60), reached: 'no' }, eve.to);
	change({ reached: 'no' }, bob.to);
	const third = await run(people, { ...TRIES, list: ' SPRING ' });

	const outputOf = ({ items }: typeof first) => reasons(items.map(({ json }) => json));
	expect(outputOf(first)).toEqual(['placed', 'placed', 'placed']);
	expect(outputOf(open)).toEqual(['resultOpen', 'resultOpen', 'resultOpen']);
	expect(outputOf(second)).toEqual(['reached', 'placed', 'placed']);
	expect(outputOf(third)).toEqual(['reached', 'attemptsUsed', 'attemptsUsed']);
	expect(third.hint?.message).toContain(
		'Of 3 items: 3 held back (1 reached, 2 attempts used up). This run contacted nobody. Nobody is left on the list "SPRING".',
	);
	expect(second.hint?.message).not.toContain('Nobody is left');
	expect(reached()).toEqual({ [ada.to]: 1, [bob.to]: 2, [eve.to]: 2 });
	expect(reasons(await outputs(sms(people)))).toEqual(['reached', 'sent', 'sent']);
});

test.each([
	['also with somebody who cannot be called', ['attemptsUsed', undefined], LIST],
	['but not while somebody is of another list', ['attemptsUsed', 'placed'], '={{ $json.of }}'],
])('nobody is left, %s', async (_, expected, rule) => {
	await outputs(calls([ada], LIST));
	const second = typeof rule === 'string' ? { ...bob, of: 'Autumn' } : { to: 'x' };
	const rules = typeof rule === 'string' ? { list: rule } : rule;

	const { items, hint } = await run([{ ...ada, of: 'Spring' }, second], rules);

	expect(reasons(items.map(({ json }) => json))).toEqual(expected);
	expect(hint?.message.includes('Nobody is left')).toBe(typeof rule !== 'string');
});

test.each([
	['a character that prints nothing', 'Spr\0ing'],
	['half of a sign', '={{ "Sale 😀".slice(0, 6) }}'],
])('a name with %s, which a database changes, is refused', async (_, list) => {
	const { items } = await run([ada], { list });

	expect(items[0]?.json.details).toMatchObject({ kind: 'invalidInput', outcome: 'notSent' });
	expect(reasons(await outputs(calls([ada], { list: '😀'.repeat(100) })))).toEqual(['placed']);
});

test('a paced run claims nobody long before the turn: another run could call them in between', async () => {
	const paced = startNode(calls(numbers(60), LIST, CONTINUE, { requestsPerSecond: 0.05 }));
	await until(() => simulator().requests.length > 0);

	expect(rows()).toHaveLength(30);
	paced.cancel();
	await paced.finished;
});

test('after a refusal, nobody is told not to run the list again', async () => {
	simulator().addFault({ kind: 'status', status: 400, when: isFor(1), times: 1 });
	const { hint } = await run(numbers(3), LIST);
	simulator().addFault({ kind: 'status', status: 500, when: isFor(4), times: 1 });
	const { hint: hintOfUnknown } = await run(numbers(6), LIST);

	expect(hint?.message).not.toContain('run the workflow again');
	expect(hintOfUnknown?.message).toContain('Look up unknown ones');
	expect(hintOfUnknown?.message).not.toContain('run the workflow again');
});

describe('At Most per Run', () => {
	const some = (atMostPerRun: number, more: INodeParameters = {}) => ({ ...more, atMostPerRun });
	const counts = (output: readonly IDataObject[]) => {
		const groups = groupBy(reasons(output), String);
		return Object.fromEntries([...groups].map(([word, { length }]) => [word, length]));
	};

	test.each<[string, INodeParameters, object]>([
		['with a list', LIST, {}],
		['without a rule that remembers people', {}, {}],
		['in a run that only checks', LIST, { checkOnly: true }],
	])('sends the first so many that may be sent: %s', async (_, rules, options) => {
		const people = numbers(130);
		const doNotContact = people.slice(0, 20).map(({ to }) => to);

		const { items } = await run(people, some(60, { ...rules, doNotContact }), { ...options });

		const output = reasons(items.map(({ json }) => json));
		const word = 'checkOnly' in options ? 'checked' : 'placed';
		const words = [
			...people.slice(0, 20).map(() => 'doNotContact'),
			...people.slice(0, 60).map(() => word),
			...people.slice(0, 50).map(() => 'runFull'),
		];
		expect(output).toEqual(words);
		expect(items.at(-1)?.json).toMatchObject({ result: 'heldBack', notBefore: null });
	});

	test('the next run goes on; what is left is written into no row', async () => {
		const people = numbers(5);
		const output = [];
		for (const most of [2, 2, 2])
			output.push(counts(await outputs(calls(people, some(most, LIST)))));

		expect(output).toEqual([
			{ placed: 2, runFull: 3 },
			{ attemptsUsed: 2, placed: 2, runFull: 1 },
			{ attemptsUsed: 4, placed: 1 },
		]);
		expect(rows()).toHaveLength(5);
		expect(reached()).toEqual(calledOnce(people));
	});

	test('the lowest value counts, also of what is faulty; the second for a recipient takes what is left', async () => {
		const items = [ada, ada, bob, { to: 'x' }, eve].map((item, at) => ({
			...item,
			most: 3 + (at % 2),
		}));

		const { items: output, hint } = await run(items, { atMostPerRun: '={{ $json.most }}' });

		expect(reasons(output.map(({ json }) => json))).toEqual([
			'placed',
			'runFull',
			'placed',
			undefined,
			'placed',
		]);
		expect(hint?.message).toContain('1 held back (1 left for the next run)');
	});

	test('in a retry, what an earlier try has sent or may have sent counts', async () => {
		simulator().addFault({ kind: 'status', status: 500, when: isFor(1), times: 1 });
		const people = numbers(4);
		const setup = calls(people, some(2), { settings: {} }, { maxConcurrentRequests: 1 });
		const failed = await runNode(setup);

		const retry = await retryRun(failed.run, calls(people, some(3), CONTINUE));

		expect(retry.items.map(({ json }) => json.reason ?? json.result)).toEqual([
			'placed',
			undefined,
			'placed',
			'runFull',
		]);
		expect(reached()).toMatchObject({ '+15550001002': 1 });
	});
});

describe('the option Check Only', () => {
	test('sends nothing with a live credential, and says who is due and why nothing was sent', async () => {
		await outputs(calls([ada], LIST));

		const { items, hint } = await run([ada, bob], LIST, { checkOnly: true });

		expect(items.map(({ json }) => json)).toMatchObject([
			{ reason: 'attemptsUsed' },
			{ result: 'checked', request: { body: { toNumber: bob.to } } },
		]);
		expect(hint?.message).toContain('Nothing was sent: the option "Check Only" is on.');
		expect(reached()).toEqual({ [ada.to]: 1 });
		expect(rows()).toHaveLength(1);
	});

	test('shows what a redirection would send, by the rows that it would count', async () => {
		const credential = { mode: 'redirect', testNumber: '+4930999999' };
		await outputs(calls([ada], LIST, { credential }));

		const { items } = await runNode(calls([ada, bob], LIST, { credential }, { checkOnly: true }));

		expect(items.map(({ json }) => json)).toMatchObject([
			{ reason: 'attemptsUsed' },
			{ result: 'checked', toNumber: bob.to, request: { body: { toNumber: '+4930999999' } } },
		]);
	});

	test.each([
		['added and switched off', false, 'placed'],
		['an expression that gives nothing', '={{ undefined }}', undefined],
		['text', '={{ "no" }}', undefined],
	])('%s', async (_, checkOnly, result) => {
		const { items } = await run([ada], {}, { checkOnly });

		expect(items[0]?.json.result).toBe(result);
		expect(simulator().requests).toHaveLength(result ? 1 : 0);
	});
});
