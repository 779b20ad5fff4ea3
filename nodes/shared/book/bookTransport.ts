import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { readConnectionError } from '../answer/connectionError';
import { createRedaction, secretsOf } from '../answer/redact';
import type { BookCredential } from '../items/credential';
import {
	CREDENTIAL,
	helperResponse,
	ownCredential,
	requestDefaults,
	withSignal,
} from '../items/transport';
import { BookProblem } from './problem';
import type { ApiSend } from './tableApi';

/** A run of the node, or a webhook of it that is called. */
export type AnyContext = IExecuteFunctions | IWebhookFunctions;

/** How long n8n may take for one request, in milliseconds. */
const TIMEOUT = 60_000;

/** Sends requests to n8n's public API with the key of the contact book, which goes nowhere else. */
export function createBookSend(
	context: AnyContext,
	credential: ICredentialDataDecryptedObject,
	{ api }: BookCredential,
	timeout = TIMEOUT,
): ApiSend {
	const redact = createRedaction(secretsOf(credential));
	const credentialsDecrypted = ownCredential(credential);
	return async ({ path, ...request }) => {
		try {
			// A cancelled execution still writes down who was reached.
			const raw: unknown = await context.helpers.httpRequestWithAuthentication.call(
				withSignal(context, AbortSignal.timeout(timeout)),
				CREDENTIAL,
				{ ...requestDefaults, ...request, url: api + path, timeout },
				{ credentialsDecrypted },
			);
			const { status, body: answer } = helperResponse.parse(raw);
			// Rows are what is gone by: nothing of them is changed.
			return { status, body: status < 300 ? answer : redact(answer) };
		} catch (error) {
			throw unreachable(error);
		}
	};
}

/** Makes the problem of a request that n8n did not answer. */
export function unreachable(error: unknown): BookProblem {
	const { code } = readConnectionError(error);
	return new BookProblem(
		'The contact book cannot be reached',
		`Check "n8n URL" in the credential: it is the address of n8n, as n8n itself reaches it${code === null ? '' : ` (${code})`}. With SSRF protection on, n8n must allow this address.`,
		0,
	);
}
