import { randomUUID } from 'node:crypto';
import { openWorld, type World } from '../e2e/world';
import { startCluster, type Cluster } from './cluster';

/** The cluster with credentials for a service of this test run. */
export interface QueueWorld extends World {
	cluster: Cluster;
}

export async function openQueueWorld(): Promise<QueueWorld> {
	const cluster = await startCluster();
	Object.assign(process.env, {
		E2E_N8NS: cluster.main.baseUrl,
		E2E_API_KEY: `key-${randomUUID()}`,
		E2E_WEBHOOK_SECRET: `secret-${randomUUID()}`,
	});
	const world = await openWorld();
	const stop = async () => {
		await world.stop();
		await cluster.stop();
	};
	return { ...world, cluster, stop };
}
