import { OPERATION_CASES } from '../../test/operations';
import { people, PLACE_CALL, reached, refuseOnce } from '../e2e/calls';
import { checkOperation } from '../e2e/operations';
import { createOneNode, START } from '../e2e/world';
import { workersOf } from './cluster';
import type { QueueWorld } from './world';

export function describeExecutions(world: () => QueueWorld): void {
	describe('an operation in queue mode', () => {
		const ranOn = new Set<number>();

		it.each(OPERATION_CASES)('$name runs on a worker', async (example) => {
			const { id } = await checkOperation(world(), example);
			const workers = workersOf(world().cluster, id);
			expect(workers).toHaveLength(1);
			for (const worker of workers) ranOn.add(worker);
		});

		it('has run on each of the workers', () => {
			expect([...ranOn].sort()).toEqual(world().cluster.workers.map((_, index) => index));
		});
	});

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
