import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { readAnswer, type ServiceResponse } from '../shared/answer/answer';
import { readConnectionError } from '../shared/answer/connectionError';
import { FAILURE_TEXTS, type Failure } from '../shared/answer/failure';
import { tellFaults } from '../shared/answer/valueFault';
import { createRedaction, secretsOf } from '../shared/answer/redact';
import { unreachable, withLimit } from '../shared/book/bookTransport';
import { testBook } from '../shared/book/openTable';
import { toBookProblem } from '../shared/book/bookProblem';
import type { ApiSend } from '../shared/book/tableApi';
import { authenticateRequest, type Addressed } from '../shared/service/authenticateRequest';
import {
	checkCredential,
	type BookCredential,
	type CredentialValues,
	type Mode,
} from '../shared/service/credential';
import { createRequest } from '../shared/service/serviceRequest';
import { helperResponse } from '../shared/service/transport';
import { doneOrAborted } from '../shared/time/wait';
import { isObject, joinTexts, toPlainText, visible } from '../shared/values';
import { getConversation } from './resources/chat';

/** A user without a conversation at the service. */
export const UNKNOWN_USER = 'n8n-credential-test';

/** How long the service or n8n may take for a request, in milliseconds: somebody is watching. */
const TIMEOUT = 15_000;

/** Sends a request with a key of the credential; what comes back has none of its secrets. */
type Send = (request: Addressed & { readonly body?: object }) => Promise<ServiceResponse>;

/**
 * Tests the credential: its fields; the service, by asking for the conversation of an unknown user
 * (S 4.3); and the contact book. Says what is wrong and what to do, in sentences. Never rejects.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const settings = checkCredential(data);
	const faults = [...settings.workspaceFaults, ...settings.faults, ...settings.bookFaults];
	if (faults.length > 0)
		return { status: 'Error', message: `${tellFaults(faults)}. Correct it and test again.` };
	const send = createSend(this, data);
	const failure = await askService(send, settings.workspaceId);
	if (failure) return { status: 'Error', message: describeTestFailure(failure) };
	try {
		const { book, mode } = settings;
		const ofBook = book ? await testBook(sendToBook(send, book), book.table) : '';
		return { status: 'OK', message: joinTexts([CONNECTED, meaningOf(mode), ofBook]) };
	} catch (error) {
		const { message, hint } = toBookProblem(error);
		return { status: 'Error', message: `${message}. ${hint}` };
	}
}

const CONNECTED = 'Connected: the service accepts the key for this workspace.';

function meaningOf(mode: Mode): string {
	if (mode.kind === 'live') return 'Mode Live: calls and messages reach people.';
	if (mode.kind === 'checkOnly')
		return 'Mode Check Only: nothing that reaches people or changes data is sent.';
	return `Mode Redirect: calls and messages go to ${mode.testNumber} instead of their recipients.`;
}

/** The only helper that n8n gives to such a function is the older one, with options of its own. */
const LEGACY = { json: true, simple: false, resolveWithFullResponse: true } as const;

function createSend({ helpers }: ICredentialTestFunctions, credential: CredentialValues): Send {
	const redact = createRedaction(secretsOf(credential));
	return async (request) => {
		const options = { ...request, timeout: TIMEOUT, ...LEGACY };
		const authenticated = authenticateRequest({ ...credential, isOwnRequest: true }, options);
		const answered: Promise<unknown> = helpers.request(authenticated);
		// The helper's own time-out is one between two bytes.
		const inTime = await doneOrAborted(answered, AbortSignal.timeout(TIMEOUT));
		if (inTime === undefined)
			throw Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' });
		const response = helperResponse.parse(inTime);
		return { ...response, body: redact(response.body) };
	};
}

/** Asks for the conversation once. Gives what is wrong, or nothing. Never rejects. */
async function askService(send: Send, workspaceId: unknown) {
	const properties = { workspaceId, userIdentifier: UNKNOWN_USER };
	const { method, url } = createRequest(getConversation, properties, TIMEOUT);
	try {
		const response = await send({ method, url });
		if (response.status === 404 && saysNoConversation(response.body)) return undefined;
		const answer = readAnswer(getConversation, response);
		return answer.kind === 'accepted' ? undefined : answer.failure;
	} catch (error) {
		return readConnectionError(error);
	}
}

/** What the service says then (S 7.1), in any text; no path ("/v1/conversation not found"). */
const NO_CONVERSATION = /(?<![\w/.-])conversation (?:was |is )?(?:not found|does not exist)/i;

/** True if one of the fields of S 7 says so; a server in between may fill another one. */
const saysNoConversation = (body: unknown): boolean =>
	isObject(body) &&
	[body.msg, body.message, body.error].some((text) => NO_CONVERSATION.test(toPlainText(text)));

/** Sends requests to n8n; those that it does not answer are problems of the book. */
const sendToBook = (send: Send, book: BookCredential): ApiSend =>
	withLimit(book, TIMEOUT, async ({ method, path, body }) => {
		const request = { method, url: `${book.api}${path}`, ...(body && { body }) };
		return await send(request).catch((error: unknown) => {
			throw unreachable(error);
		});
	});

/** What is said in the dialog where it differs from what the node says of an item. */
const TEXTS: Readonly<Record<string, { readonly message?: string; readonly hint: string }>> = {
	forbidden: {
		message: 'The API key may not use this workspace',
		hint: 'Enter the "API Key" and the "Workspace ID" of the same workspace.',
	},
	invalidInput: {
		message: 'The service rejected the request',
		hint: 'Check the "Workspace ID": it stands beside the API key in the dashboard of the service.',
	},
	notFound: {
		message: 'This address does not answer like the service',
		hint: 'Check "Base URL": it is the address that comes before /v1.',
	},
	redirect: {
		message: 'This address redirects to another one, and the key is not sent there',
		hint: 'Enter the address that it leads to as "Base URL", e.g. with https:// instead of http://.',
	},
	timeout: { hint: 'Check "Base URL" and the network between n8n and the service.' },
};

function describeTestFailure(failure: Failure): string {
	const { kind, httpStatus, code, serviceMessage, moreInfo } = failure;
	const isRedirect = httpStatus !== null && httpStatus >= 300 && httpStatus < 400;
	const shown = kind === 'badResponse' && httpStatus === 404 ? 'notFound' : kind;
	// A test changes nothing, so the hint of an unknown outcome is that of its kind.
	const { message = failure.message, hint } = TEXTS[isRedirect ? 'redirect' : shown] ?? {
		hint: failure.hint || FAILURE_TEXTS[kind].hint,
	};
	const evidence = httpStatus === null ? code : `HTTP ${httpStatus}`;
	const said = [serviceMessage, httpStatus !== null && code, moreInfo].filter(Boolean).join(', ');
	return joinTexts([
		evidence === null ? `${message}.` : `${message} (${evidence}).`,
		said === '' ? '' : `The answer says: "${visible(said)}".`,
		hint,
	]);
}
