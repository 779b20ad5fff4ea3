import { apiCredentialData } from '../setup';
import type { Started } from '../started';
import { openN8n } from './package';
import { startService } from './service';

export type Rig = Awaited<ReturnType<typeof openRig>>;

/** The one n8n and the one service that all runners of a benchmark share. */
export async function openRig(started: Started) {
	const service = started.add(await startService());
	const { client, n8n } = await openN8n(started);
	const values = apiCredentialData(service);
	const assistantServiceApi = await client.saveCredential('assistantServiceApi', 'Bench', values);
	return {
		...{ client, service },
		/** Of its nodes, by their types. */
		credentials: { assistantServiceApi },
		/** Waits until n8n has caught up: after a long freeze it takes its database for lost. */
		untilReady: n8n.ready,
	};
}
