import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { readConnectionError } from '../answer/connectionError';
import { createRedaction, secretsOf } from '../answer/redact';
import { ProcessState } from '../processState';
import type { BookCredential } from '../service/credential';
import {
	CREDENTIAL,
	helperResponse,
	ownCredential,
	requestDefaults,
	withSignal,
} from '../service/transport';
import { steadyNow } from '../time/clock';
import { digest } from '../values';
import { ApiLimit } from './apiLimit';
import { BookProblem } from './bookProblem';
import type { ApiSend, BookAccess } from './tableApi';

/** A run of the node, or a webhook of it that is called. */
export type AnyContext = IExecuteFunctions | IWebhookFunctions;

/** Who does what is left for later: the newest run alone, since each keeps its data in memory. */
export const newest: { context?: AnyContext } = {};

/** Writes into n8n's log what became of what was left for later. */
export const warnLater = (message: string): void => newest.context?.logger.warn(message);

/** What n8n's limits of its API are known to be, by key. */
const apiLimits = new ProcessState<ApiLimit>(100);

/** How long n8n may take for one request, in milliseconds. */
const TIMEOUT = 60_000;

/** Sends as n8n's limits let it, for so many milliseconds: it counts apart what only reads. */
export const withLimit =
	({ api, apiKey }: BookCredential, wait: number, send: ApiSend): ApiSend =>
	async (request, until = steadyNow() + wait) => {
		const name = digest(`${api} ${apiKey} ${request.method === 'GET' ? 'reads' : 'writes'}`);
		return await apiLimits.get(name, () => new ApiLimit()).pass(() => send(request), until);
	};

/** Gives access to n8n's public API, with the key of the contact book, which goes nowhere else. */
export function createBookAccess(
	contextOfRun: AnyContext,
	credential: ICredentialDataDecryptedObject,
	book: BookCredential,
): BookAccess {
	const redact = createRedaction(secretsOf(credential));
	const credentialsDecrypted = ownCredential(credential);
	// What n8n's limit delays would keep its own run in memory.
	newest.context = contextOfRun;
	const send = withLimit(book, Infinity, async ({ path, ...request }) => {
		const { context } = newest;
		try {
			if (context === undefined) throw new Error('No run has begun');
			// A cancelled execution still writes down who was reached.
			const raw: unknown = await context.helpers.httpRequestWithAuthentication.call(
				withSignal(context, AbortSignal.timeout(TIMEOUT)),
				CREDENTIAL,
				{ ...requestDefaults, ...request, url: book.api + path, timeout: TIMEOUT },
				{ credentialsDecrypted },
			);
			const { status, body: answer, retryAfter } = helperResponse.parse(raw);
			// Rows are what is gone by: nothing of them is changed.
			return { status, body: status < 300 ? answer : redact(answer), retryAfter };
		} catch (error) {
			throw unreachable(error);
		}
	});
	return { ...book, send };
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
