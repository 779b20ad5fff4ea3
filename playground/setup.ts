import type { INode } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Simulator } from '../test/simulator/simulator';
import type { N8nClient } from './rest';
import type { Owner, SavedCredential, WorkflowDraft } from './restTypes';

/** Known to everybody: this n8n listens on loopback only and holds nothing but play data. */
export const OWNER: Owner = {
	email: 'owner@playground.example',
	password: 'Playground1',
	firstName: 'Playground',
	lastName: 'Owner',
};

export const WEBHOOK_SECRET = 'playground-webhook-secret';
export const WEBHOOK_HEADER = 'x-webhook-secret';

/** The names of the credentials in the playground. */
const CREDENTIAL_NAMES = {
	assistantServiceApi: 'Assistant Service - Live',
	assistantServiceWebhookApi: 'Assistant Service Webhook account',
} as const;

export type Credentials = Record<keyof typeof CREDENTIAL_NAMES, SavedCredential>;

/** What the credential of the node holds for this simulator; it reaches people. */
export function apiCredentialData({ baseUrl, apiKey, workspaceId }: Simulator) {
	return { baseUrl, apiKey, workspaceId, mode: 'live' };
}

/** Both credentials, made or brought up to date. */
export async function saveCredentials(
	client: N8nClient,
	simulator: Simulator,
	secret = WEBHOOK_SECRET,
): Promise<Credentials> {
	const data = {
		assistantServiceApi: apiCredentialData(simulator),
		assistantServiceWebhookApi: { secret, headerName: WEBHOOK_HEADER },
	};
	const save = async (type: keyof typeof CREDENTIAL_NAMES) =>
		await client.saveCredential(type, CREDENTIAL_NAMES[type], data[type]);
	return {
		assistantServiceApi: await save('assistantServiceApi'),
		assistantServiceWebhookApi: await save('assistantServiceWebhookApi'),
	};
}

/** By this name the examples ask for a credential: n8n takes one of an equal name, and it must not call anybody. */
export const EXAMPLES_ASK_FOR = 'Assistant Service - Check Only';

/** The credential that calls nobody. The newest one is chosen in a new node, so it is made after the others. */
export async function saveCheckOnlyCredential(
	client: N8nClient,
	simulator: Simulator,
): Promise<void> {
	const data = { ...apiCredentialData(simulator), mode: 'checkOnly' };
	await client.saveCredential('assistantServiceApi', EXAMPLES_ASK_FOR, data);
}

/** A workflow of the folder `examples`, as a user imports it, with the credential of the playground. */
export function readExample(file: string): WorkflowDraft {
	const text = readFileSync(path.join(__dirname, '..', 'examples', file), 'utf8');
	const chosen = text.replaceAll(EXAMPLES_ASK_FOR, CREDENTIAL_NAMES.assistantServiceApi);
	return JSON.parse(chosen) as WorkflowDraft;
}

/** The path under which n8n serves the webhook of a trigger node while its workflow is active. */
export function webhookPath({ webhookId = '' }: INode): string {
	return `/webhook/${webhookId}/webhook`;
}
