import { refuseBursts } from '../../test/simulator/bursts';
import {
	activateSingleCalls,
	people,
	requestsFor,
	statuses,
	tally,
	type ActiveWorkflow,
	type Person,
} from '../e2e/calls';
import { post } from '../post';
import { workersOf } from './cluster';
import { AT_ONCE_PER_PROCESS, inParallel } from '../parallel';
import type { QueueWorld } from './world';

/** Posts each person as an event of their own to the webhook processors, as fast as they take them. */
export async function postToAll(
	{ cluster }: QueueWorld,
	{ path }: ActiveWorkflow,
	all: Person[],
): Promise<void> {
	const urls = cluster.webhooks.map(({ baseUrl }) => `${baseUrl}${path}`);
	const answers = await inParallel(all, urls.length * AT_ONCE_PER_PROCESS, (person, index) =>
		post(urls[index % urls.length] ?? '', person),
	);
	expect(answers.map(({ status }) => status)).toEqual(all.map(() => 200));
}

export function describeBursts(world: () => QueueWorld): void {
	describe('120 executions of one call each over two workers', () => {
		const PEOPLE = people(120);
		const REQUESTS_PER_SECOND = 10;
		/** One that is refused, and the one that is served: each worker finds its share of what the service allows. */
		const MAX_REQUESTS_PER_CALL = 2;

		it('of which the service takes 10 a second: everybody is called once', async () => {
			const { client, simulator, cluster, credentials } = world();
			simulator.reset();
			const active = await activateSingleCalls(client, credentials, {
				servedBy: cluster.frontUrl,
			});
			refuseBursts(simulator, REQUESTS_PER_SECOND);

			await postToAll(world(), active, PEOPLE);
			const ended = await client.allFinished(active.workflow.id);

			expect(tally(simulator, PEOPLE)).toEqual({ once: PEOPLE.length, moreOften: 0, never: 0 });
			expect(statuses(ended)).toEqual({ success: PEOPLE.length });
			const requests = requestsFor(simulator, PEOPLE);
			expect(Math.max(...requests)).toBeLessThanOrEqual(MAX_REQUESTS_PER_CALL);
			const workers = new Set(ended.flatMap(({ id }) => workersOf(cluster, id)));
			expect(workers.size).toBe(cluster.workers.length);
		});
	});
}
