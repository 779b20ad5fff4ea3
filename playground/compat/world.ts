import { rmSync } from 'node:fs';
import path from 'node:path';
import { startSimulator } from '../../test/simulator/simulator';
import type { World } from '../e2e/world';
import { startN8n, type RunningN8n } from '../n8n';
import { freePort } from '../processes';
import { N8nClient } from '../rest';
import { OWNER, saveCredentials, WEBHOOK_SECRET } from '../setup';
import type { Installation } from './installations';

/** A fresh n8n of some version, with credentials for a service of its own. */
export interface CompatWorld extends World {
	/** Kills n8n without a word, and starts it again. */
	crash: () => Promise<void>;
	stop: () => Promise<void>;
}

/** A release that does not know one of the modules that are named here does not start. */
const SETTINGS = { N8N_DISABLED_MODULES: '' };

/** Starts an n8n of this version, and signs in. */
export async function openWorld({ folder }: Installation): Promise<CompatWorld> {
	// Below the folder of this n8n, because the package takes `n8n-workflow` and `zod` from the nearest folder above.
	const userFolder = path.join(folder, '.state', 'compat');
	rmSync(userFolder, { recursive: true, force: true });
	const port = await freePort();
	let n8n: RunningN8n | undefined;
	const boot = async (): Promise<RunningN8n> => {
		n8n = await startN8n(userFolder, port, { installation: folder, settings: SETTINGS });
		await n8n.ready();
		return n8n;
	};
	const simulator = await startSimulator();
	const stop = async (): Promise<void> => {
		await n8n?.stop();
		await simulator.stop();
	};
	try {
		const { baseUrl } = await boot();
		const client = await N8nClient.signIn(baseUrl, OWNER);
		const credentials = await saveCredentials(client, simulator);
		const crash = async (): Promise<void> => {
			await n8n?.kill();
			await boot();
		};
		return { client, simulator, credentials, secret: WEBHOOK_SECRET, crash, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
