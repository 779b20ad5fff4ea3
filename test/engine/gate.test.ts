import { until } from '../until';
import { runNode, startNode, type NodeRun, type NodeSetup } from './engine';
import { refuseBursts } from '../simulator/bursts';
import { isFor, toNumberOf, untilAnswered, untilAsked } from './recipients';
import { callsByRecipient, credentialFor, numbers, placeCall, useSimulator } from './world';

const simulator = useSimulator();

const calls = (
	items: NodeSetup['items'],
	options = {},
	more: Partial<NodeSetup> = {},
): NodeSetup => ({
	credential: credentialFor(simulator()),
	parameters: { ...placeCall, options },
	items,
	...more,
});

const CONTINUE = { settings: { onError: 'continueRegularOutput' as const } };

const failuresOf = ({ items }: NodeRun) => items.map(({ json }) => json.details);

/** The numbers that the service was asked to call, in the order in which it was. */
const asked = () => simulator().requests.map(toNumberOf);

describe('many executions at once', () => {
	test('are all served, with at most two requests for each call', async () => {
		refuseBursts(simulator(), 10);

		const runs = await Promise.all(numbers(40).map(async (item) => await runNode(calls([item]))));

		expect(runs.map(({ error }) => error)).toEqual(Array(40).fill(undefined));
		expect(Object.values(callsByRecipient(simulator()))).toEqual(Array(40).fill(1));
		const most = Math.max(
			...numbers(40).map(({ to }) => asked().filter((one) => one === to).length),
		);
		expect(most).toBeLessThanOrEqual(2);
	});

	test('other keys are not held back', async () => {
		simulator().addFault({ kind: 'rateLimited', retryAfter: '20', times: 1 });
		const held = startNode(calls(numbers(1)));
		await untilAsked(simulator(), 1);

		const { error } = await runNode({
			...calls(numbers(1)),
			credential: { ...credentialFor(simulator()), apiKey: 'another key' },
		});
		held.cancel();
		await held.finished;

		expect(error?.context.details).toMatchObject({ kind: 'invalidApiKey' });
	});
});

test('a wait that is too long fails the waiting items at once, and says when to come back', async () => {
	simulator().addFault({ kind: 'rateLimited', retryAfter: '3600', when: isFor(3), times: 1 });

	const run = await runNode(calls(numbers(30), { maxConcurrentRequests: 1 }, CONTINUE));

	const hint = expect.stringMatching(/wants to be asked again at \d+-\d\d-\d\dT/) as unknown;
	const failed = { kind: 'rateLimited', outcome: 'notSent', httpStatus: null, hint };
	expect(failuresOf(run)).toEqual([
		...Array<undefined>(3).fill(undefined),
		expect.objectContaining({ ...failed, outcome: 'refused', httpStatus: 429 }),
		...Array<unknown>(26).fill(expect.objectContaining(failed)),
	]);
	expect(simulator().requests).toHaveLength(4);
});

describe('the end of a wait', () => {
	test('what waits for the place of the item that failed is not sent', async () => {
		// As many as are in flight at first.
		const until = untilAsked(simulator(), 10);
		simulator().addFault({ kind: 'status', status: 400, when: isFor(0), until });
		simulator().addFault({ kind: 'delay', until: untilAnswered(simulator(), 0), delayMs: 300 });

		await runNode(calls(numbers(40)));

		expect(simulator().requests).toHaveLength(10);
	});

	test('a cancelled run ends in the middle of a hold', async () => {
		simulator().addFault({ kind: 'rateLimited', retryAfter: '500' });
		const execution = startNode(calls(numbers(5)));
		// The first refusal holds back those that have not started.
		await until(() => simulator().requests[0]?.status === 429);

		execution.cancel();
		const { run } = await execution.finished;

		expect(run.status).toBe('canceled');
		expect(simulator().requests.length).toBeLessThanOrEqual(5);
	});
});
