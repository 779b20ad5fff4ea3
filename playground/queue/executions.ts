import { OPERATION_CASES } from '../../test/operations';
import { callsPlaced, holdAnswers, people, PLACE_CALL, reached, refuseOnce } from '../e2e/calls';
import { checkOperation } from '../e2e/operations';
import { createOneNode, jsonOf, START } from '../e2e/world';
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

	describe('several executions at once', () => {
		const EXECUTIONS = 6;
		const AT_ONCE = 4;
		const groups = Array.from({ length: EXECUTIONS }, (_, group) => people(30, group));

		it('each keep their own memory and their own pace', async () => {
			const { client, simulator, cluster } = world();
			simulator.reset();
			for (const group of groups) refuseOnce(simulator, group[15]);
			const goOn = holdAnswers(simulator);
			const options = { maxConcurrentRequests: AT_ONCE };
			const workflows = await Promise.all(
				groups.map(async (group) => createOneNode(world(), { ...PLACE_CALL, options }, group)),
			);

			const ids = await Promise.all(workflows.map(async ({ id }) => client.start(id, START)));
			// Each execution alone would have AT_ONCE.
			await callsPlaced(simulator, AT_ONCE + 1);
			goOn();
			const failed = await Promise.all(ids.map(async (id) => client.finished(id)));
			const retried = await Promise.all(failed.map(async ({ id }) => client.retry(id)));

			expect(failed.map(({ status }) => status)).toEqual(groups.map(() => 'error'));
			expect(retried.map(({ status }) => status)).toEqual(groups.map(() => 'success'));
			for (const [index, group] of groups.entries()) {
				expect(reached(simulator, group)).toEqual(group.map(() => 1));
				expect(retried[index] && jsonOf(retried[index])[0]).toHaveLength(group.length);
			}
			const usedWorkers = new Set(ids.flatMap((id) => workersOf(cluster, id)));
			expect(usedWorkers.size).toBe(cluster.workers.length);
			const most = Math.max(...simulator.requests.map(({ inFlight }) => inFlight));
			expect(most).toBeLessThanOrEqual(EXECUTIONS * AT_ONCE);
		});
	});
}
