import type { N8nClient } from '../rest';
import { OWNER, webhookPath } from '../setup';

/** What the page says about the n8n beside it. */
export interface N8nBeside {
	url: string;
	email: string;
	password: string;
	/** The name of the workflow whose trigger has this URL, for tests or for production. */
	workflowAt: (url: string) => Promise<string | undefined>;
}

/** The n8n of a client, under the address that people open. */
export const besideOf = (client: N8nClient, url = client.baseUrl): N8nBeside => ({
	...{ url, email: OWNER.email, password: OWNER.password },
	workflowAt: async (webhookUrl) => await workflowAt(client, webhookUrl).catch(() => undefined),
});

async function workflowAt(client: N8nClient, url: string): Promise<string | undefined> {
	const path = new URL(url).pathname.replace('/webhook-test/', '/webhook/');
	const ids = (await client.workflows()).map(({ id }) => id);
	const all = await Promise.all(ids.map(async (id) => await client.workflow(id)));
	return all.find(({ nodes }) => nodes.some((node) => webhookPath(node) === path))?.name;
}
