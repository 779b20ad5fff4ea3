import { rmSync } from 'node:fs';
import { startSimulator } from '../../test/simulator/simulator';
import { startN8n, type N8nOptions, type RunningN8n } from '../n8n';
import { freePort } from '../processes';
import { N8nClient } from '../rest';
import { OWNER, saveWithoutBook, WEBHOOK_SECRET } from '../setup';
import { Started } from '../started';
import type { World } from './world';

/** A fresh n8n of its own, with credentials for a service of its own. */
export interface OwnWorld extends World {
	/** Kills n8n without a word, and starts it again at the same address, after something else if that is given. */
	crash: (meanwhile?: () => void) => Promise<void>;
}

/** Starts an n8n in a folder that is emptied before, and signs in. */
export async function openOwnWorld(userFolder: string, options?: N8nOptions): Promise<OwnWorld> {
	rmSync(userFolder, { recursive: true, force: true });
	const port = await freePort();
	const started = new Started();
	const simulator = started.add(await startSimulator());
	const boot = async (): Promise<RunningN8n> => {
		const n8n = started.add(await startN8n(userFolder, port, options));
		await n8n.ready();
		return n8n;
	};
	try {
		let n8n = await boot();
		const client = await N8nClient.signIn(n8n.baseUrl, OWNER);
		const credentials = await saveWithoutBook(client, simulator);
		const crash: OwnWorld['crash'] = async (meanwhile) => {
			await n8n.kill();
			meanwhile?.();
			n8n = await boot();
		};
		return { client, simulator, credentials, secret: WEBHOOK_SECRET, crash, stop: started.stop };
	} catch (error) {
		await started.stop();
		throw error;
	}
}
