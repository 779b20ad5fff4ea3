import { people, PLACE_CALL, reached, refuseOnce, type Person } from '../e2e/calls';
import { createOneNode, START } from '../e2e/world';
import { AT_ONCE_PER_PROCESS, inParallel } from '../parallel';
import { post } from '../post';
import type { ActiveWorkflow } from '../workflows';
import { workersOf } from './cluster';
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

export function describeExecutions(world: () => QueueWorld): void {
	describe('a failed execution that is retried on different workers', () => {
		const PEOPLE = people(60);
		const RETRIES = 6;

		it('calls nobody twice', async () => {
			const { client, simulator, cluster } = world();
			simulator.reset();
			refuseOnce(simulator, PEOPLE[30]);
			const { id } = await createOneNode(world(), PLACE_CALL, PEOPLE);
			const failed = await client.finished(await client.start(id, START));

			const ids: string[] = [];
			// Each starts from what the failed execution saved, which knows nothing of the other retries.
			while (ids.length < RETRIES) ids.push((await client.retry(failed.id)).id);

			expect(new Set(ids.flatMap((retry) => workersOf(cluster, retry))).size).toBe(
				cluster.workers.length,
			);
			expect(reached(simulator, PEOPLE)).toEqual(PEOPLE.map(() => 1));
		});
	});
}
