import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { startN8n, type N8nOptions, type RunningN8n } from '../n8n';
import { freePort } from '../processes';

declare global {
	var runningN8n: RunningN8n | undefined;
}

/** Boots one fresh n8n in a folder of this name; the tests find it by the environment. */
export async function bootForTests(name: string, options?: N8nOptions): Promise<void> {
	const userFolder = path.join(__dirname, '..', '.state', name);
	rmSync(userFolder, { recursive: true, force: true });
	const n8n = await startN8n(userFolder, await freePort(), options);
	globalThis.runningN8n = n8n;
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void n8n.stop().then(() => process.exit(1)));
	}
	Object.assign(process.env, {
		E2E_N8N: n8n.baseUrl,
		E2E_USER_FOLDER: userFolder,
		// Found nowhere by chance: the last test searches for them.
		E2E_API_KEY: `key-${randomUUID()}`,
		E2E_WEBHOOK_SECRET: `secret-${randomUUID()}`,
	});
	await n8n.ready().catch(async (error: unknown) => {
		await n8n.stop();
		throw error;
	});
}

export default async function globalSetup(): Promise<void> {
	await bootForTests('test');
}
