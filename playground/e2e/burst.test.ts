import { startSimulator, type Simulator } from '../../test/simulator/simulator';
import { post } from '../post';
import { node } from '../workflows';
import {
	activateCalls,
	activateSingleCalls,
	callsPlaced,
	people,
	phoneOf,
	postAtOnce,
	reached,
	requestsFor,
	statuses,
	tally,
	type Person,
} from './calls';
import { useWorld } from './world';

const WITHIN_MS = 180_000;
/** One that is refused, and the one that is served. */
const MAX_REQUESTS_PER_CALL = 2;

const world = useWorld();
/** Tells when an execution comes to its second node; it has no limits. */
let marker: Simulator;

beforeAll(async () => {
	marker = await startSimulator();
});

afterAll(async () => {
	await marker.stop();
});

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
			// Not a whole second: a busy machine may bunch two starts.
			simulator.setTraffic({ requestsPerSecond, windowMs: 800 });

			await postAtOnce([`${client.baseUrl}${path}`], all);
			const ended = await client.allFinished(workflow.id);
			simulator.setTraffic({ requestsPerSecond: null });

			expect(tally(simulator, all)).toEqual({ once: all.length, moreOften: 0, never: 0 });
			expect(statuses(ended)).toEqual({ success: all.length });
			expect(Math.max(...requestsFor(simulator, all))).toBeLessThanOrEqual(MAX_REQUESTS_PER_CALL);
		},
		WITHIN_MS,
	);
});

describe('a single call while another execution works on a list', () => {
	const LIST = people(1000);
	/** Each group at the same moment. */
	const GROUPS = [2, 3, 4, 5].map((group) => people(3, group));
	const SINGLES = GROUPS.flat();
	/** Few, so that a busy machine adds few requests of the list. */
	const REQUESTS_PER_SECOND = 5;
	/** The list's turn, and what it sends while n8n starts the nodes; whoever is refused waits for more. */
	const MAX_IN_BETWEEN = 6;

	it(
		'is served after a handful of requests of the list',
		async () => {
			const { client, simulator, credentials } = world();
			const list = await activateCalls(client, credentials);
			const mark = node(
				'n8n-nodes-base.httpRequest',
				'Mark',
				{
					url: `=${marker.baseUrl}/v1/started/{{ $json.body.phone.slice(1) }}`,
					options: { response: { response: { neverError: true } } },
				},
				{ typeVersion: 4.2 },
			);
			const single = await activateSingleCalls(client, credentials, client.baseUrl, [mark]);
			simulator.setTraffic({ requestsPerSecond: REQUESTS_PER_SECOND });
			await post(`${client.baseUrl}${list.path}`, { people: LIST });
			await callsPlaced(simulator, 5 * REQUESTS_PER_SECOND);

			for (const group of GROUPS) {
				await postAtOnce([`${client.baseUrl}${single.path}`], group);
				await client.allFinished(single.workflow.id);
			}
			const [execution] = await client.executions(list.workflow.id);
			// It may have ended by now.
			await client.stop(execution?.id ?? '').catch(() => undefined);
			await client.allFinished(list.workflow.id);
			simulator.setTraffic({ requestsPerSecond: null });

			expect(tally(simulator, SINGLES)).toEqual({ once: SINGLES.length, moreOften: 0, never: 0 });
			const inBetween = SINGLES.map(requestsOfListBefore);
			expect(inBetween.filter((count) => count > MAX_IN_BETWEEN)).toEqual([]);
			expect(Math.max(...reached(simulator, LIST))).toBe(1);
		},
		WITHIN_MS,
	);

	/** How many requests of the list came between the start of the execution that calls this person, and its call. */
	function requestsOfListBefore({ phone }: Person): number {
		const started = marker.requests.find(({ path }) => path.endsWith(phone.slice(1)));
		const served = world()
			.simulator.processed('placeCall')
			.find(({ body }) => phoneOf(body) === phone);
		if (started === undefined || served === undefined) throw new Error(`${phone} was not called`);
		const ofSingles = new Set<unknown>(SINGLES.map((person) => person.phone));
		return world().simulator.requests.filter(
			({ at, body }) => at > started.at && at < served.at && !ofSingles.has(phoneOf(body)),
		).length;
	}
});
