import { bootForTests } from '../e2e/globalSetup';

/** Boots one fresh n8n, whose webhook URLs in the editor are those of a server that people can reach. */
export default async function globalSetup(): Promise<void> {
	await bootForTests('browser', { settings: { WEBHOOK_URL: 'https://n8n.example.com/' } });
}
