import {
	activateCalls,
	callsPlaced,
	countOf,
	holdAnswers,
	MARKED_AT_ONCE,
	people,
	PLACE_CALL,
	reached,
} from '../e2e/calls';
import { createOneNode, jsonOf, START } from '../e2e/world';
import { post } from '../post';
import { workersOf } from './cluster';
import type { QueueWorld } from './world';

/** Executions that nobody works at are found within a minute; with n8n's own setting it takes up to three hours. */
const FOUND_SOON = { N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1' };

export function describeOutages(world: () => QueueWorld): void {
	describe('what is killed in the middle of 200 calls', () => {
		const PEOPLE = people(200);

		/** Calls all of them from a production webhook; gives the execution and its worker once some were called. */
		const startCalls = async () => {
			const { client, simulator, cluster, credentials } = world();
			simulator.reset();
			const goOn = holdAnswers(simulator, 60);
			const { workflow, path } = await activateCalls(client, credentials, {
				servedBy: cluster.frontUrl,
			});
			await post(`${cluster.frontUrl}${path}`, { people: PEOPLE });
			await callsPlaced(simulator, 61);
			const [execution] = await client.executions(workflow.id);
			const executionId = execution?.id ?? '';
			const [index = -1] = workersOf(cluster, executionId);
			const worker = cluster.workers[index];
			if (worker === undefined) throw new Error(`no worker began execution ${executionId}`);
			return { executionId, worker, goOn };
		};

		it('a worker: its execution ends as failed, and nobody is called again', async () => {
			const { client, simulator, cluster } = world();
			const { executionId, worker, goOn } = await startCalls();

			await worker.kill();
			goOn();
			const ended = await client.finished(executionId);
			const placed = reached(simulator, PEOPLE);
			// What n8n saved then is empty, so that there is nothing to go on with.
			const retried = await client.retry(executionId);
			await cluster.startAgain([worker]);

			// From n8n 2.42 on it ends as crashed.
			const end = `${ended.status}: ${ended.data.resultData.error?.message ?? ''}`;
			expect(end).toMatch(/^(?:error: .*failed to be processed too many times|crashed: )/);
			expect(retried.status).toBe('error');
			expect(countOf(placed, 0) + countOf(placed, 1)).toBe(PEOPLE.length);
			expect(reached(simulator, PEOPLE)).toEqual(placed);
		});

		it('all of n8n: a retry calls the others and nobody twice', async () => {
			const { client, simulator, cluster } = world();
			const { executionId, goOn } = await startCalls();
			const all = [cluster.main, ...cluster.webhooks, ...cluster.workers];

			await Promise.all(all.map(async ({ kill }) => kill()));
			goOn();
			await cluster.startAgain(all, FOUND_SOON);
			const ended = await client.finished(executionId);
			const retried = await client.retry(executionId);

			expect([ended.status, retried.status]).toEqual(['crashed', 'error']);
			const calls = reached(simulator, PEOPLE);
			expect(countOf(calls, 0) + countOf(calls, 1)).toBe(PEOPLE.length);
			expect(countOf(calls, 1)).toBeGreaterThanOrEqual(PEOPLE.length - MARKED_AT_ONCE);
		});
	});

	describe('Redis that is restarted in the middle of executions', () => {
		const groups = Array.from({ length: 4 }, (_, group) => people(80, group));

		it('stops none of them, and nobody is called twice', async () => {
			const { client, simulator, cluster } = world();
			simulator.reset();
			const goOn = holdAnswers(simulator, 20);
			const workflows = await Promise.all(
				groups.map(async (group) => createOneNode(world(), PLACE_CALL, group)),
			);
			const ids = await Promise.all(workflows.map(async (one) => client.start(one.id, START)));
			await callsPlaced(simulator, 21);

			await cluster.redis.restart(3000);
			goOn();
			const ended = await Promise.all(ids.map(async (id) => client.finished(id)));

			expect(ended.map(({ status }) => status)).toEqual(groups.map(() => 'success'));
			for (const [index, group] of groups.entries()) {
				expect(reached(simulator, group)).toEqual(group.map(() => 1));
				expect(ended[index] && jsonOf(ended[index])[0]).toHaveLength(group.length);
			}
		});
	});
}
