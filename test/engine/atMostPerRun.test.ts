import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { groupBy } from '../../nodes/shared/values';
import { minutesAgo, useBookWorld } from './contactBook';
import { ada, bob, closedHours, CONTINUE, eve, LIST, reasons, TRIES } from './contacts';
import {
	dataFromStart,
	type NodeSetup,
	retryRun,
	runFromStart,
	runNode,
	startNode,
} from './engine';
import { calledOnce, isFor, numbers } from './world';

const { simulator, calls, outputs, rows, change, reached } = useBookWorld();

const NO_BOOK = { credential: { contactBook: false } };

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

	const { items } = await runNode(
		calls(people, some(60, { ...rules, doNotContact }), CONTINUE, { ...options }),
	);

	const output = reasons(items.map(({ json }) => json));
	const word = 'checkOnly' in options ? 'checked' : 'placed';
	const words = [
		...people.slice(0, 20).map(() => 'doNotContact'),
		...people.slice(0, 60).map(() => word),
		...people.slice(0, 50).map(() => 'runFull'),
	];
	expect(output).toEqual(words);
	expect(items.at(-1)?.json).toMatchObject({ result: 'heldBack', notBefore: null });
	expect(rows().filter(({ list }) => list !== (rules.list ?? null))).toEqual([]);
});

test('the next run goes on; what is left is written into no row', async () => {
	const people = numbers(5);
	const output = [];
	for (const most of [2, 2, 2]) output.push(counts(await outputs(calls(people, some(most, LIST)))));

	expect(output).toEqual([
		{ placed: 2, runFull: 3 },
		{ attemptsUsed: 2, placed: 2, runFull: 1 },
		{ attemptsUsed: 4, placed: 1 },
	]);
	expect(rows()).toHaveLength(5);
	expect(reached()).toEqual(calledOnce(people));
});

test('the lowest value counts, also of what is faulty; the second for a recipient takes what is left', async () => {
	simulator().addFault({ kind: 'status', status: 400, when: isFor(0), times: 1 });
	const { allowedHours: closed, timezone } = closedHours();
	const items = [...numbers(4).slice(3), ada, ada, bob, { to: 'x' }, eve].map((item, at) => ({
		...{ ...item, most: at === 4 ? 3 : 4, hours: at === 0 ? closed : '00:00-24:00' },
	}));
	const rules = { atMostPerRun: '={{ $json.most }}', allowedHours: '={{ $json.hours }}' };

	const { items: output, hint } = await runNode(calls(items, { ...rules, timezone }, CONTINUE));

	const [outside, refused, full, ...more] = reasons(output.map(({ json }) => json));
	expect([outside, refused, full]).toEqual(['outsideHours', undefined, 'runFull']);
	expect(more).toEqual(['placed', undefined, 'placed']);
	expect(hint?.message).toContain('2 held back (1 outside hours, 1 left for the next run)');
});

test('in a loop, each round is a run', async () => {
	const setup = calls([ada, bob, eve], some(1, LIST), { executionId: 'looping' });
	const { run: first } = await runNode(setup);
	const next = dataFromStart(setup, first.data.resumeToken);
	next.resultData.runData = first.data.resultData.runData;
	Object.assign(next.executionData ?? {}, { contextData: first.data.executionData?.contextData });

	const { items } = await startNode(setup, next).finished;

	expect(reasons(items.map(({ json }) => json))).toEqual(['attemptsUsed', 'placed', 'runFull']);
});

test.each<[string, Partial<NodeSetup>, IDataObject[], (string | undefined)[]]>([
	['in a retry, by rows', { mode: 'retry' }, [bob, ada], ['runFull', 'placed']],
	['in a retry, by marks', { mode: 'retry', ...NO_BOOK }, [bob, ada], ['runFull', undefined]],
	['when its job runs again', { mode: 'trigger' }, [ada, bob], ['placed', 'runFull']],
])('what was sent before n8n died counts: %s', async (name, more, people, expected) => {
	await runFromStart(calls([ada], {}, { ...more, mode: 'trigger' }), name);

	const { items } = await runFromStart(calls(people, some(1), { ...CONTINUE, ...more }), name);

	expect(reasons(items.map(({ json }) => json))).toEqual(expected);
});

test.each([
	['keepFailed', undefined, 1],
	['sendAgain', 'placed', 2],
])('in a retry with %s, what an earlier try has sent or may have sent counts', async (...of) => {
	const [ifOutcomeUnknown, second, attemptsMade] = of;
	simulator().addFault({ kind: 'status', status: 500, when: isFor(1), times: 1 });
	const people = numbers(4);
	const setup = calls(people, some(2, LIST), { settings: {} }, { maxConcurrentRequests: 1 });
	const failed = await runNode(setup);

	const again = calls(people, some(3, LIST), CONTINUE, { ifOutcomeUnknown });
	const retry = await retryRun(failed.run, again);

	const output = reasons(retry.items.map(({ json }) => json));
	expect(output).toEqual(['placed', second, 'placed', 'runFull']);
	expect(rows().filter(({ phone }) => phone === bob.to)).toHaveLength(attemptsMade);
	expect(reached()).toMatchObject({ '+15550001002': 1 });
	change({ contactedAt: minutesAgo(25 * 60), reached: 'no', outcome: 'accepted' }, bob.to);
	const withAttempts = (attempts: number) => calls([bob], { ...TRIES, attempts });
	expect(reasons(await outputs(withAttempts(attemptsMade)))).toEqual(['attemptsUsed']);
	expect(reasons(await outputs(withAttempts(attemptsMade + 1)))).toEqual(['placed']);
});
