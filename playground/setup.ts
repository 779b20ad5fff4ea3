import type { INode } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SCOPES } from '../test/contactBook/dataTables/tables';
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
	assistantServiceContactBookApi: 'Contact Book',
} as const;

export type Credentials = Record<keyof typeof CREDENTIAL_NAMES, SavedCredential>;

/** What the credential of the node holds for this simulator; it reaches people. */
export function apiCredentialData({ baseUrl, apiKey, workspaceId }: Simulator) {
	return { baseUrl, apiKey, workspaceId, mode: 'live' };
}

/** The name of the Data Table that is the contact book of the playground. */
export const BOOK_TABLE = 'Contact book';

/** What the credential of the contact book holds: this n8n's own API, with a new key. */
export async function bookCredentialData(client: N8nClient, table = BOOK_TABLE) {
	const apiKey = await client.apiKey(SCOPES, `${table} (playground)`);
	return { baseUrl: client.baseUrl, apiKey, table };
}

/** All credentials, made or brought up to date, and the table of the contact book if this n8n can have one. */
export async function saveCredentials(
	client: N8nClient,
	simulator: Simulator,
	secret = WEBHOOK_SECRET,
): Promise<Credentials> {
	const bookType = 'assistantServiceContactBookApi';
	const former = await client.credential(bookType, CREDENTIAL_NAMES[bookType]);
	// A user may have entered another table.
	const { table = BOOK_TABLE } = former ? await client.credentialData(former) : {};
	const data = {
		assistantServiceApi: apiCredentialData(simulator),
		assistantServiceWebhookApi: { secret, headerName: WEBHOOK_HEADER },
		assistantServiceContactBookApi: { ...(await bookCredentialData(client)), table },
	};
	const save = async (type: keyof typeof CREDENTIAL_NAMES) =>
		await client.saveCredential(type, CREDENTIAL_NAMES[type], data[type]);
	const credentials = {
		assistantServiceApi: await save('assistantServiceApi'),
		assistantServiceWebhookApi: await save('assistantServiceWebhookApi'),
		assistantServiceContactBookApi: await save('assistantServiceContactBookApi'),
	};
	// Its test makes the table. Later it may have been renamed, and the test would make another one.
	if (former === undefined) await client.testCredential(credentials[bookType], data[bookType]);
	return credentials;
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

/** A workflow of the folder `examples`, as a user imports it, with a credential of the playground: by default the live one. */
export function readExample(
	file: string,
	credential: string = CREDENTIAL_NAMES.assistantServiceApi,
): WorkflowDraft {
	const text = readFileSync(path.join(__dirname, '..', 'examples', file), 'utf8');
	return JSON.parse(text.replaceAll(EXAMPLES_ASK_FOR, credential)) as WorkflowDraft;
}

/** The path under which n8n serves the webhook of a trigger node while its workflow is active. */
export function webhookPath({ webhookId = '' }: INode): string {
	return `/webhook/${webhookId}/webhook`;
}

/** The path under which n8n serves that webhook while somebody executes the step of the trigger. */
export const testWebhookPath = (trigger: INode): string =>
	webhookPath(trigger).replace('/webhook/', '/webhook-test/');
