import { people, PLACE_CALL, reached, refuseOnce, type Person } from '../e2e/calls';
import { createOneNode, START } from '../e2e/world';
import { AT_ONCE_PER_PROCESS, inParallel } from '../parallel';
import { post } from '../post';
import type { SavedExecution } from '../restTypes';
import type { ActiveWorkflow } from '../workflows';
import { workersOf } from './cluster';
import type { QueueWorld } from './world';

/** Posts each person, or each list, as an event of its own to the webhook processors, as fast as they take them. */
export async function postToAll(
	{ cluster }: QueueWorld,
	{ path }: ActiveWorkflow,
	all: readonly (Person | { readonly people: readonly Person[] })[],
): Promise<void> {
	const urls = cluster.webhooks.map(({ baseUrl }) => `${baseUrl}${path}`);
	const answers = await inParallel(all, urls.length * AT_ONCE_PER_PROCESS, (person, index) =>
		post(urls[index % urls.length] ?? '', person),
	);
	expect(answers.map(({ status }) => status)).toEqual(all.map(() => 200));
}

/** Lets the database take up to 50 ms to write the marks that n8n has read: workers overwrite each other's. */
const SLOW_MARKS = `
	create function slow() returns trigger language plpgsql as
		$$ begin perform pg_sleep(random() / 20); return new; end $$;
	create trigger slow before update on processed_data for each row execute function slow()`;
const QUICK_MARKS = 'drop trigger slow on processed_data; drop function slow';

export function describeExecutions(world: () => QueueWorld): void {
	describe('a failed execution that is retried on different workers', () => {
		const PEOPLE = people(60);
		const ROUNDS = 4;

		it('reaches everybody once', async () => {
			const { client, simulator, cluster } = world();
			simulator.reset();
			refuseOnce(simulator, PEOPLE[30]);
			await cluster.postgres.sql(SLOW_MARKS);
			const { id } = await createOneNode(world(), PLACE_CALL, PEOPLE);
			const failed = await client.finished(await client.start(id, START));

			const retries: SavedExecution[] = [];
			// Two at the same moment. Each starts from what the failed execution saved, which knows nothing of the other retries.
			for (let round = 0; round < ROUNDS; round++) {
				const both = [client.retry(failed.id), client.retry(failed.id)];
				retries.push(...(await Promise.all(both)));
			}
			await cluster.postgres.sql(QUICK_MARKS);

			expect(new Set(retries.flatMap((retry) => workersOf(cluster, retry.id))).size).toBe(
				cluster.workers.length,
			);
			expect(reached(simulator, PEOPLE)).toEqual(PEOPLE.map(() => 1));
		});
	});
}
