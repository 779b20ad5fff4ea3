import type { INode, INodeParameters } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import type { N8nClient } from './rest';
import type { SavedWorkflow, WorkflowDraft } from './restTypes';

/** A node of a workflow, of version 1 unless said otherwise. */
export function node(
	type: string,
	name: string,
	parameters: INodeParameters = {},
	extra: Partial<INode> = {},
): INode {
	const id = randomUUID();
	return { id, webhookId: id, name, type, typeVersion: 1, position: [0, 0], parameters, ...extra };
}

/** These nodes, each connected to the next one. */
export function chain(...nodes: INode[]): Pick<WorkflowDraft, 'nodes' | 'connections'> {
	const links = nodes.slice(1).map(({ name: to }, index) => ({
		from: nodes[index]?.name ?? '',
		main: [[{ node: to, type: 'main' as const, index: 0 }]],
	}));
	return {
		nodes,
		connections: Object.fromEntries(links.map(({ from, main }) => [from, { main }])),
	};
}

export function nodeOf({ name, nodes }: WorkflowDraft, nodeName: string): INode {
	const found = nodes.find((one) => one.name === nodeName);
	if (!found) throw new Error(`"${name}" has no node "${nodeName}"`);
	return found;
}

/**
 * Saves a workflow, switches it on, and waits until its webhook is served.
 *
 * @param pathOf where, once it is saved
 * @param servedBy what answers to webhooks; n8n itself if absent
 */
export async function createActive(
	client: N8nClient,
	draft: WorkflowDraft,
	pathOf: (saved: SavedWorkflow) => string,
	servedBy?: string,
): Promise<SavedWorkflow> {
	const saved = await client.createWorkflow(draft);
	await client.activate(saved);
	await client.waitForWebhook(pathOf(saved), servedBy);
	return saved;
}

export interface ActiveWorkflow {
	workflow: SavedWorkflow;
	path: string;
}

export interface WebhookOptions {
	/** When it is answered; by default at once. */
	responseMode?: 'onReceived' | 'lastNode';
	/** What answers to webhooks; n8n itself if absent. */
	servedBy?: string;
	/** Changes the workflow before it is saved. */
	change?: (draft: WorkflowDraft) => WorkflowDraft;
}

/** Saves these nodes behind n8n's own Webhook node, switches them on, and waits until they are served. */
export async function behindWebhook(
	client: N8nClient,
	name: string,
	nodes: INode[],
	{ responseMode = 'onReceived', servedBy, change = (draft) => draft }: WebhookOptions = {},
): Promise<ActiveWorkflow> {
	const id = randomUUID();
	const parameters = { httpMethod: 'POST', path: id, responseMode };
	const webhook = node('n8n-nodes-base.webhook', 'Webhook', parameters, { typeVersion: 2 });
	const path = `/webhook/${id}`;
	const draft = change({ name, ...chain(webhook, ...nodes) });
	return { workflow: await createActive(client, draft, () => path, servedBy), path };
}
