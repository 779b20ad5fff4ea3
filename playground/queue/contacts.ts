import { setTimeout as sleep } from 'node:timers/promises';
import { activateSingleCalls, people, reached, statuses } from '../e2e/calls';
import { eventually } from '../eventually';
import type { ActiveWorkflow } from '../workflows';
import { postToAll } from './executions';
import type { QueueWorld } from './world';

/** Reading back takes half a second, twice; more where a write takes long. */
const QUIET_MS = 5_000;

/**
 * Waits until the marks of a workflow are read back, and those written again that another worker has overwritten: each
 * look at them writes their row, and no more comes.
 */
async function marksAreQuiet({ cluster }: QueueWorld, { workflow }: ActiveWorkflow): Promise<void> {
	const version = async () =>
		await cluster.postgres.sql(
			`select xmin from processed_data where "workflowId" = '${workflow.id}'`,
		);
	let last = await version();
	await eventually('the marks to be read back', async () => {
		const before = last;
		await sleep(QUIET_MS);
		last = await version();
		return (last !== '' && last === before) || undefined;
	});
}

export function describeContacts(world: () => QueueWorld): void {
	describe('people whom two workers are asked to call at the same moment', () => {
		const PEOPLE = people(30);
		const RULES = { contactRules: { notAgainWithin: 24 } };

		it('are called once by each worker at most, and by nobody afterwards', async () => {
			const { client, simulator, cluster, credentials } = world();
			simulator.reset();
			const { frontUrl, workers } = cluster;
			const active = await activateSingleCalls(client, credentials, {
				servedBy: frontUrl,
				parameters: RULES,
			});

			await postToAll(
				world(),
				active,
				PEOPLE.flatMap((person) => [person, person]),
			);
			await client.allFinished(active.workflow.id);
			const atOnce = reached(simulator, PEOPLE);
			await marksAreQuiet(world(), active);
			await postToAll(world(), active, PEOPLE);
			const ended = await client.allFinished(active.workflow.id);

			expect(Math.min(...atOnce)).toBe(1);
			expect(Math.max(...atOnce)).toBeLessThanOrEqual(workers.length);
			expect(reached(simulator, PEOPLE)).toEqual(atOnce);
			expect(statuses(ended)).toEqual({ success: 3 * PEOPLE.length });
		});
	});
}
