import type { INode, INodeParameters } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import type { N8nClient } from '../../rest';
import type { SavedCredential } from '../../restTypes';
import { WEBHOOK_HEADER, WEBHOOK_SECRET } from '../../setup';
import { chain, node } from '../../workflows';
import { BENCH_PACKAGE } from '../package';
import type { Target } from './load';

/** Who takes the events. */
export type RunnerId = 'trigger' | 'webhook' | 'forgetful' | 'hook';

export const RUNNER_NAMES: Record<RunnerId, string> = {
	trigger: 'this trigger',
	webhook: 'Webhook',
	forgetful: 'this trigger, Ignore Repeats off',
	hook: 'bare community trigger',
};

const TRIGGER = 'n8n-nodes-assistant-service.assistantServiceTrigger';

type StartNode = Pick<INode, 'type' | 'typeVersion' | 'parameters' | 'credentials'>;

/** The start nodes, all with the same secret in the same header. */
export async function startNodes(client: N8nClient): Promise<Record<RunnerId, StartNode>> {
	const own = await client.saveCredential('assistantServiceWebhookApi', 'Bench', {
		secret: WEBHOOK_SECRET,
		headerName: WEBHOOK_HEADER,
	});
	const header = await client.saveCredential('httpHeaderAuth', 'Bench', {
		name: WEBHOOK_HEADER,
		value: WEBHOOK_SECRET,
	});
	const start = (
		type: string,
		typeVersion: number,
		credentials: Record<string, SavedCredential>,
		parameters: INodeParameters = {},
	): StartNode => ({ type, typeVersion, parameters, credentials });
	return {
		trigger: start(TRIGGER, 1.1, { assistantServiceWebhookApi: own }),
		forgetful: start(
			TRIGGER,
			1.1,
			{ assistantServiceWebhookApi: own },
			{ options: { ignoreRepeats: false } },
		),
		webhook: start(
			'n8n-nodes-base.webhook',
			2.1,
			{ httpHeaderAuth: header },
			{ httpMethod: 'POST', authentication: 'headerAuth', responseMode: 'onReceived' },
		),
		hook: start(`${BENCH_PACKAGE}.benchHook`, 2, { httpHeaderAuth: header }),
	};
}

/** A workflow of two nodes: what starts it, and what counts it. Gives where to post. */
export async function createRunner(
	client: N8nClient,
	runner: RunnerId,
	start: StartNode,
): Promise<Target> {
	const webhookId = randomUUID();
	const isWebhook = runner === 'webhook';
	const parameters = isWebhook ? { ...start.parameters, path: webhookId } : start.parameters;
	const path = `/webhook/${webhookId}${isWebhook ? '' : '/webhook'}`;
	await activateAtPath(client, RUNNER_NAMES[runner], path, [
		{ ...start, parameters, webhookId },
		{ type: `${BENCH_PACKAGE}.benchSeen` },
	]);
	return { url: `${client.baseUrl}${path}`, headers: { [WEBHOOK_HEADER]: WEBHOOK_SECRET } };
}

/** The workflow that counts for the runners; gives its URL. */
export async function createTally(client: N8nClient): Promise<string> {
	const webhookId = randomUUID();
	const parameters = { httpMethod: 'POST', path: webhookId, responseMode: 'lastNode' };
	const path = `/webhook/${webhookId}`;
	await activateAtPath(client, 'Tally', path, [
		{ type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters, webhookId },
		{ type: `${BENCH_PACKAGE}.benchTally` },
	]);
	return `${client.baseUrl}${path}`;
}

async function activateAtPath(
	client: N8nClient,
	name: string,
	path: string,
	[first, second]: [Partial<INode>, Partial<INode>],
): Promise<void> {
	const workflow = await client.createWorkflow({
		name,
		...chain(node('', 'Start', {}, first), node('', 'End', {}, second)),
		// What is compared is the webhook, not how n8n keeps executions.
		settings: { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' },
	});
	await client.activate(workflow);
	await client.waitForWebhook(path);
}
