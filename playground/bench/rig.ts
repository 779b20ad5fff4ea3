import { startSimulator } from '../../test/simulator/simulator';
import { apiCredentialData } from '../setup';
import type { Started } from '../started';
import { openN8n } from './package';

export type Rig = Awaited<ReturnType<typeof openRig>>;

/**
 * The one n8n and the one service that all runners of a benchmark share. The service is in this process, so that it takes
 * no time from that of n8n.
 */
export async function openRig(started: Started) {
	const simulator = started.add(await startSimulator());
	const { client, n8n } = await openN8n(started);
	const values = apiCredentialData(simulator);
	const assistantServiceApi = await client.saveCredential('assistantServiceApi', 'Bench', values);
	return {
		...{ client, simulator },
		/** Of its nodes, by their types. */
		credentials: { assistantServiceApi },
		/** Waits until n8n has caught up: after a long freeze it takes its database for lost. */
		untilReady: n8n.ready,
	};
}
