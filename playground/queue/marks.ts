import { setTimeout as sleep } from 'node:timers/promises';
import type { ActiveWorkflow } from '../e2e/calls';
import { eventually } from '../eventually';
import type { QueueWorld } from './world';

/** Reading back takes half a second, twice; more where a write takes long. */
const QUIET_MS = 5_000;

/**
 * Waits until the marks of a workflow are read back, and those written again that another worker has overwritten: each
 * look at them writes their row, and no more comes.
 */
export async function marksAreQuiet(
	{ cluster }: QueueWorld,
	{ workflow }: ActiveWorkflow,
): Promise<void> {
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
