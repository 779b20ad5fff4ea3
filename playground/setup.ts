import type { ICredentialDataDecryptedObject, INode } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { bookFields } from '../test/contactBook/bookFields';
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

const TYPE = 'assistantServiceApi';

/** The name of the credential of the playground that calls everybody. */
const LIVE = 'Assistant Service - Live';

/** By this name the examples ask for a credential: n8n takes one of an equal name, and it must not call anybody. */
export const EXAMPLES_ASK_FOR = 'Assistant Service - Check Only';

/** What a node with the credential of the package needs. */
export type Credentials = Record<typeof TYPE, SavedCredential>;

/** What the credential holds for this service, without a contact book; it reaches people. */
export function apiCredentialData(
	{ baseUrl, apiKey, workspaceId }: Pick<Simulator, 'baseUrl' | 'apiKey' | 'workspaceId'>,
	webhookSecret = WEBHOOK_SECRET,
) {
	const webhook = { webhookSecret, webhookHeader: WEBHOOK_HEADER };
	return { baseUrl, apiKey, workspaceId, mode: 'live', ...webhook };
}

/** The name of the Data Table that is the contact book of the playground. */
export const BOOK_TABLE = 'Contact book';

/** What a credential of this name holds for its contact book: this n8n's own API, with a new key. */
export async function bookData(client: N8nClient, name: string, table = BOOK_TABLE) {
	const apiKey = await client.apiKey(SCOPES, `${name} (playground)`);
	return bookFields({ baseUrl: client.baseUrl, apiKey }, table);
}

/** A credential with a contact book, made or brought up to date. */
async function saveWithBook(
	client: N8nClient,
	name: string,
	data: ICredentialDataDecryptedObject,
): Promise<SavedCredential> {
	const former = await client.credential(TYPE, name);
	// A user may have entered another table.
	const { contactBookTable = BOOK_TABLE } = former ? await client.credentialData(former) : {};
	const all = { ...data, ...(await bookData(client, name)), contactBookTable };
	const saved = await client.saveCredential(TYPE, name, all);
	// It makes the table of an n8n without a contact book.
	await client.testCredential(saved, all);
	return saved;
}

/** The credential that reaches people. */
export async function saveCredentials(
	client: N8nClient,
	simulator: Simulator,
	secret = WEBHOOK_SECRET,
): Promise<Credentials> {
	return { [TYPE]: await saveWithBook(client, LIVE, apiCredentialData(simulator, secret)) };
}

/** A credential that reaches people and has no contact book. */
export async function saveWithoutBook(
	client: N8nClient,
	simulator: Simulator,
	secret = WEBHOOK_SECRET,
): Promise<Credentials> {
	const data = { ...apiCredentialData(simulator, secret), contactBook: false };
	return { [TYPE]: await client.saveCredential(TYPE, 'Without Contact Book', data) };
}

/** The credential that calls nobody. The newest one is chosen in a new node, so it is made after the others. */
export async function saveCheckOnlyCredential(
	client: N8nClient,
	simulator: Simulator,
	secret = WEBHOOK_SECRET,
): Promise<void> {
	const data = { ...apiCredentialData(simulator, secret), mode: 'checkOnly' };
	await saveWithBook(client, EXAMPLES_ASK_FOR, data);
}

/** A workflow of the folder `examples`, as a user imports it, with a credential of the playground: by default the live one. */
export function readExample(file: string, credential = LIVE): WorkflowDraft {
	const text = readFileSync(path.join(__dirname, '..', 'examples', file), 'utf8');
	return JSON.parse(text.replaceAll(EXAMPLES_ASK_FOR, credential)) as WorkflowDraft;
}

/** Whether the gallery shows the canvas of an example: of few nodes, it says nothing. */
export const hasPicture = ({ nodes }: Pick<WorkflowDraft, 'nodes'>): boolean =>
	nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote').length > 4;

/** The path under which n8n serves the webhook of a trigger node while its workflow is active. */
export function webhookPath({ webhookId = '' }: INode): string {
	return `/webhook/${webhookId}/webhook`;
}

/** The path under which n8n serves that webhook while somebody executes the step of the trigger. */
export const testWebhookPath = (trigger: INode): string =>
	webhookPath(trigger).replace('/webhook/', '/webhook-test/');
