import { createHash, timingSafeEqual } from 'crypto';
import {
	NodeOperationError,
	UserError,
	type ICredentialDataDecryptedObject,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { nameOfNode } from '../shared/host';
import { CREDENTIAL } from '../shared/service/transport';
import { steadyNow } from '../shared/time/clock';
import { isObject, toPlainText } from '../shared/values';
import { Refused } from './deliveryRefusals';
import { isAllowed, readAllowlist } from './ipAllowlist';
import { state } from './state';

/** How long a credential is taken after it was read, in milliseconds. */
const FRESH_FOR = 5_000;

/** Checks a sender's address, then its secret (S 6); gives the credential. @throws Refused */
export async function authenticate(context: IWebhookFunctions) {
	if (!isListed(context)) throw new Refused('addressNotListed');
	const credential = await readSecrets(context).catch((error: unknown) => {
		// A missing credential is final; a database that does not answer is not.
		const isMissing = error instanceof UserError || error instanceof NodeOperationError;
		throw new Refused(isMissing ? 'secretWrong' : 'credentialUnreadable');
	});
	if (credential && !knowsSecret(context, credential)) throw new Refused('secretWrong');
	return credential;
}

/** Reads the credential, slow in n8n; takes a fresh one if the sender knows its current secret. */
async function readSecrets(context: IWebhookFunctions) {
	if (context.getNodeParameter('authentication', 'secret') === 'none') return undefined;
	const name = `${nameOfNode(context)} ${context.getNode().credentials?.[CREDENTIAL]?.id ?? ''}`;
	const readAt = steadyNow();
	const recent = state.credentials.get(name);
	const isFresh = recent && readAt - recent.readAt < FRESH_FOR;
	if (isFresh && knowsSecret(context, { ...recent.value, previousWebhookSecret: '' }))
		return recent.value;
	const value = await context.getCredentials(CREDENTIAL);
	state.credentials.set(name, { value, readAt });
	return value;
}

/** Lists nobody if the list cannot be read. n8n does not activate a workflow with such a list. */
function isListed(context: IWebhookFunctions): boolean {
	try {
		return isAllowed(readAllowlist(context), context.getRequestObject().ip);
	} catch {
		return false;
	}
}

/**
 * True if the sender gives the secret or, while it changes, the previous one. Without a secret
 * nothing matches, nor does a previous one that is no text. All pairs are compared in any case.
 */
function knowsSecret(
	context: IWebhookFunctions,
	{ webhookHeader, webhookSecret, previousWebhookSecret }: ICredentialDataDecryptedObject,
): boolean {
	const { [toPlainText(webhookHeader).toLowerCase()]: headerSecret } = context.getHeaderData();
	const query: unknown = context.getQueryData();
	const sentSecrets = [headerSecret, isObject(query) ? query.secret : undefined];
	const secret = toPlainText(webhookSecret);
	const hasPrevious = secret !== '' && typeof previousWebhookSecret === 'string';
	const secrets = [secret, hasPrevious ? toPlainText(previousWebhookSecret) : ''];
	// Node.js reads a header byte by byte, also one in UTF-8.
	const forms = secrets.flatMap((text) => [text, Buffer.from(text).toString('latin1')]);
	return forms.flatMap((form) => sentSecrets.map((sent) => isSecret(sent, form))).includes(true);
}

/** Says whether a value is the secret. An empty secret matches nothing. */
export const isSecret = (value: unknown, secret: string): boolean =>
	timingSafeEqual(hash(typeof value === 'string' ? value : ''), hash(secret)) && secret !== '';

/** Digests are of one length, so the time to compare reveals neither the secret nor its length. */
const hash = (value: string): Buffer => createHash('sha256').update(value).digest();
