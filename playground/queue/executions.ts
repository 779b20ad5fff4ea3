import { people, PLACE_CALL, reached, refuseOnce } from '../e2e/calls';
import { createOneNode, START } from '../e2e/world';
import type { SavedExecution } from '../restTypes';
import { workersOf } from './cluster';
import type { QueueWorld } from './world';

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
