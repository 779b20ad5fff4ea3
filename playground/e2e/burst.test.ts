import { refuseBursts } from '../../test/simulator/bursts';
import { RateLimiter } from '../../test/simulator/rateLimiter';
import { itemsOf } from '../executions';
import { post } from '../post';
import type { SavedExecution } from '../restTypes';
import {
	activateCalls,
	activateSingleCalls,
	CALL_NODE,
	callsPlaced,
	people,
	phoneOf,
	postEach,
	reached,
	requestsFor,
	statuses,
	tally,
	WEBHOOK_NODE,
	type Person,
} from './calls';
import { useWorld } from './world';

/** One that is refused, and the one that is served. */
const MAX_REQUESTS_PER_CALL = 2;

const world = useWorld();

describe('executions of one call each, all at once', () => {
	it.each([
		[80, 4],
		[200, 20],
	])(
		'%i of which the service takes %i a second: everybody is called once',
		async (executions, requestsPerSecond) => {
			const { client, simulator, credentials } = world();
			const all = people(executions);
			const { workflow, path } = await activateSingleCalls(client, credentials);
			refuseBursts(simulator, requestsPerSecond);

			await postEach(`${client.baseUrl}${path}`, all);
			const ended = await client.allFinished(workflow.id);

			expect(tally(simulator, all)).toEqual({ once: all.length, moreOften: 0, never: 0 });
			expect(statuses(ended)).toEqual({ success: all.length });
			expect(Math.max(...requestsFor(simulator, all))).toBeLessThanOrEqual(MAX_REQUESTS_PER_CALL);
		},
	);
});

describe('a single call while another execution works on a list', () => {
	const LIST = people(1000);
	/** Each group at the same moment. */
	const GROUPS = [2, 3, 4, 5].map((group) => people(3, group));
	const SINGLES = GROUPS.flat();
	/** Few, so that a busy machine adds few requests of the list. */
	const LIST_PER_SECOND = 2;
	/** The list's turn, and what it sends while the node of the single call begins. */
	const MAX_IN_BETWEEN = 6;

	it('is served after a handful of requests of the list', async () => {
		const { client, simulator, credentials } = world();
		const list = await activateCalls(client, credentials);
		const single = await activateSingleCalls(client, credentials);
		const limiter = new RateLimiter(LIST_PER_SECOND);
		simulator.addFault({
			kind: 'rateLimited',
			when: ({ at, body }) => isOfList(body) && limiter.secondsToWait(at) > 0,
		});
		await post(`${client.baseUrl}${list.path}`, { people: LIST });
		await callsPlaced(simulator, 5 * LIST_PER_SECOND);

		for (const group of GROUPS) {
			await postEach(`${client.baseUrl}${single.path}`, group);
			await client.allFinished(single.workflow.id);
		}
		const singles = await client.finishedAfter('0', single.workflow.id, SINGLES.length);
		const [execution] = await client.executions(list.workflow.id);
		await client.stop(execution?.id ?? '');
		await client.allFinished(list.workflow.id);

		expect(tally(simulator, SINGLES)).toEqual({ once: SINGLES.length, moreOften: 0, never: 0 });
		const inBetween = singles.map(requestsOfListBefore);
		expect(inBetween.filter((count) => count > MAX_IN_BETWEEN)).toEqual([]);
		expect(Math.max(...reached(simulator, LIST))).toBe(1);
	});

	const phones = new Set<unknown>(LIST.map(({ phone }) => phone));
	const isOfList = (body: unknown): boolean => phones.has(phoneOf(body));

	/** How many requests of the list came after the node of this execution had begun, and before its call. */
	function requestsOfListBefore(execution: SavedExecution): number {
		const [event] = itemsOf(execution, WEBHOOK_NODE);
		const { phone } = event?.body as Person;
		const { requests } = world().simulator;
		const begin = execution.data.resultData.runData[CALL_NODE]?.[0]?.startTime ?? 0;
		const before = requests.slice(
			0,
			requests.findIndex(({ body }) => phoneOf(body) === phone),
		);
		return before.filter(({ at, body }) => performance.timeOrigin + at > begin && isOfList(body))
			.length;
	}
});
