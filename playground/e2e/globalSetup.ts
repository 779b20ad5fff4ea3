import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { startN8n, type RunningN8n } from '../n8n';
import { freePort } from '../processes';

declare global {
	var runningN8ns: RunningN8n[];
}

/** Boots a fresh n8n for each worker of jest; the tests find theirs by the environment. */
export default async function globalSetup({ maxWorkers }: { maxWorkers: number }) {
	const folder = path.join(__dirname, '..', '.state', 'test');
	rmSync(folder, { recursive: true, force: true });
	const userFolders = Array.from({ length: maxWorkers }, (_, index) =>
		path.join(folder, String(index + 1)),
	);
	globalThis.runningN8ns = [];
	const stopAll = async () => {
		await Promise.all(globalThis.runningN8ns.map(async ({ stop }) => stop()));
	};
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void stopAll().then(() => process.exit(1)));
	}
	for (const userFolder of userFolders) {
		globalThis.runningN8ns.push(await startN8n(userFolder, await freePort()));
	}
	Object.assign(process.env, {
		E2E_N8NS: globalThis.runningN8ns.map(({ baseUrl }) => baseUrl).join(','),
		E2E_USER_FOLDERS: userFolders.join(','),
		// Found nowhere by chance: the last test searches for them.
		E2E_API_KEY: `key-${randomUUID()}`,
		E2E_WEBHOOK_SECRET: `secret-${randomUUID()}`,
	});
	try {
		await Promise.all(globalThis.runningN8ns.map(async ({ ready }) => ready()));
	} catch (error) {
		await stopAll();
		throw error;
	}
}
