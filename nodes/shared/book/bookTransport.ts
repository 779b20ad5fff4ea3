import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readConnectionError } from '../answer/connectionError';
import { createRedaction } from '../answer/redact';
import { helperResponse, requestDefaults, withSignal } from '../request/transport';
import { BOOK_CREDENTIAL, type BookCredential } from './bookCredential';
import { BookProblem } from './problem';
import type { ApiAnswer, ApiSend } from './tableApi';

/** How long n8n may take for one request, in milliseconds. */
const TIMEOUT = 60_000;

/** Sends requests to n8n's public API with the key of the contact book, which goes nowhere else. */
export function createBookSend(
	context: IExecuteFunctions | IWebhookFunctions,
	{ api, apiKey }: BookCredential,
	timeout = TIMEOUT,
): ApiSend {
	// Without it n8n would read the credential from its database for each request.
	const data = { baseUrl: api, apiKey };
	const credentialsDecrypted = { id: '', name: BOOK_CREDENTIAL, type: BOOK_CREDENTIAL, data };
	return async ({ method, path, body }) => {
		try {
			// A cancelled execution still writes down whom it has reached.
			const raw: unknown = await context.helpers.httpRequestWithAuthentication.call(
				withSignal(context, AbortSignal.timeout(timeout)),
				BOOK_CREDENTIAL,
				{
					...requestDefaults,
					method,
					url: `${api}${path}`,
					timeout,
					...(body && { body }),
				},
				{ credentialsDecrypted },
			);
			const { status, body: answer } = helperResponse.parse(raw);
			return toApiAnswer(status, answer, apiKey);
		} catch (error) {
			throw unreachable(error);
		}
	};
}

/** An answer, with the key taken out of what an error says. */
export const toApiAnswer = (status: number, body: unknown, apiKey: string): ApiAnswer => ({
	status,
	body: status < 300 ? body : createRedaction(apiKey)(body),
});

/** What is said of a request that n8n did not answer. */
export function unreachable(error: unknown): BookProblem {
	const { message, code } = readConnectionError(error);
	// Its texts are about the service; here n8n itself is asked. n8n replaces a message with the name of a system error.
	const said = message.replace(/the service/i, 'n8n');
	return new BookProblem(
		`The contact book cannot be reached: ${said}`,
		`Check the Base URL of the Assistant Service Contact Book API credential: it is the address of n8n itself, as n8n reaches it${code === null ? '' : ` (${code})`}. With n8n's SSRF protection on, this address must be allowed.`,
		0,
	);
}
