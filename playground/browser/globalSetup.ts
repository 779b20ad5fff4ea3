import { bootForTests } from '../e2e/globalSetup';
import { chromiumPath } from './chromium';

/** Boots a fresh n8n for each worker, whose webhook URLs in the editor are those of a server that people can reach. */
export default async function globalSetup({ maxWorkers }: { maxWorkers: number }): Promise<void> {
	// Two workers that install it at once would find apt locked.
	chromiumPath();
	const settings = { WEBHOOK_URL: 'https://n8n.example.com/' };
	await bootForTests({ name: 'browser', count: maxWorkers, options: { settings } });
}
