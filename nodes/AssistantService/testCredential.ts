import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { z } from 'zod';

import { readAnswer, type ServiceResponse } from '../shared/answer/answer';
import { readConnectionError } from '../shared/answer/connectionError';
import type { Failure } from '../shared/answer/failure';
import { createRedaction } from '../shared/answer/redact';
import { unreachable } from '../shared/book/bookTransport';
import { toBookProblem } from '../shared/book/problem';
import type { ApiSend } from '../shared/book/tableApi';
import { testBook } from '../shared/book/testBook';
import { authenticateRequest, type Addressed } from '../shared/request/authenticateRequest';
import {
	checkCredential,
	secretsOf,
	type BookCredential,
	type CredentialValues,
	type Mode,
} from '../shared/request/credential';
import { readValue } from '../shared/request/reading';
import { readItem } from '../shared/request/readItem';
import type { ServiceRequest } from '../shared/request/serviceRequest';
import { helperResponse } from '../shared/request/transport';
import { isBlank, isObject, toPlainText } from '../shared/values';
import { getConversation } from './resources/chat';
import { describeTestFailure } from './testTexts';

/** A user of whom the service has no conversation. */
export const UNKNOWN_USER = 'n8n-credential-test';

/** How long the service, or n8n, may take for one request, in milliseconds: somebody looks at the dialog. */
const TIMEOUT = 15_000;

/** Sends a request with a key of the credential; what comes back has none of its secrets. */
type Send = (request: Addressed & { readonly body?: object }) => Promise<ServiceResponse>;

/**
 * Tells whether the credential can be used: its fields; the service, by asking for the conversation of a user that does not
 * exist (S 4.3), to which it answers a good key with 404 and its own text, or with 200 and a conversation; and the contact
 * book. What is wrong is said in sentences, with what to do. Never rejects.
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	const settings = checkCredential(data);
	const plan = readItem(
		getConversation,
		({ property }) => (property.name === 'userIdentifier' ? UNKNOWN_USER : property.default),
		settings,
		() => '',
	);
	const ofService = plan.kind === 'faulty' ? plan.problems : [];
	const problems = [...ofService, ...settings.bookProblems, ...webhookProblems(data)];
	if (plan.kind === 'faulty' || problems.length > 0)
		return { status: 'Error', message: `${problems.join('; ')}. Correct it and test again.` };
	const send = createSend(helpers, data);
	const failure = await askService(send, plan.request);
	if (failure) return { status: 'Error', message: describeTestFailure(failure) };
	try {
		const ofBook = settings.book ? await askBook(send, settings.book) : '';
		return { status: 'OK', message: `${CONNECTED}${describeMode(settings.mode)}${ofBook}` };
	} catch (error) {
		const { message, hint } = toBookProblem(error);
		return { status: 'Error', message: `${message}. ${hint}` };
	}
}

const CONNECTED = 'Connected: the service accepts the key for this workspace.';

function describeMode(mode: Mode): string {
	switch (mode.kind) {
		case 'live':
			return ' Mode Live: calls and messages reach people.';
		case 'checkOnly':
			return ' Mode Check Only: nothing that reaches people or changes data is sent.';
		case 'redirect':
			return ` Mode Redirect: calls and messages go to ${mode.testNumber} instead of their recipients.`;
	}
}

/** Common servers take headers of up to 8 KiB; shorter secrets can be guessed. */
const [MIN_LENGTH, MAX_LENGTH] = [16, 4_096];

/** Printable ASCII: senders differ in how they encode other characters in a header (RFC 9110, section 5.5). */
const headerValue = z
	.string({ message: 'expected text' })
	.min(MIN_LENGTH, `expected at least ${MIN_LENGTH} random characters`)
	.max(MAX_LENGTH, `expected at most ${MAX_LENGTH} characters`)
	.regex(/^[!-~](?:[ -~]*[!-~])?$/, 'expected ASCII characters, without white space at the ends');

/** The characters of a header's name (RFC 9110, section 5.6.2). */
const headerName = z
	.string({ message: 'expected text' })
	.max(MAX_LENGTH, `expected at most ${MAX_LENGTH} characters`)
	.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'expected the name of an HTTP header');

/** What is wrong with the secrets of the trigger; nothing if there are none. */
function webhookProblems(values: CredentialValues): string[] {
	const { webhookSecret, previousWebhookSecret, webhookHeader } = values;
	const read = [
		...(isBlank(webhookSecret) ? [] : [readValue('Webhook Secret', headerValue, webhookSecret)]),
		...(isBlank(previousWebhookSecret)
			? []
			: [readValue('Previous Webhook Secret', headerValue, previousWebhookSecret)]),
	];
	if (read.length > 0) read.push(readValue('Webhook Header', headerName, webhookHeader));
	return read.flatMap(({ problems }) => problems);
}

/** The only helper that n8n gives to such a function is the older one, with options of its own. */
const LEGACY = { json: true, simple: false, resolveWithFullResponse: true } as const;

function createSend(
	helpers: ICredentialTestFunctions['helpers'],
	credential: CredentialValues,
): Send {
	const redact = createRedaction(secretsOf(credential));
	const own = { ...credential, isOwnRequest: true };
	return async (given) => {
		const request = authenticateRequest(own, { ...given, timeout: TIMEOUT, ...LEGACY });
		const raw: unknown = await Promise.race([helpers.request(request), deadline()]);
		const response = helperResponse.parse(raw);
		return { ...response, body: redact(response.body) };
	};
}

/** The helper's own time-out is one between two bytes. */
async function deadline(): Promise<never> {
	const signal = AbortSignal.timeout(TIMEOUT);
	return await new Promise((_, reject) => {
		signal.addEventListener('abort', () => {
			reject(Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' }));
		});
	});
}

/** Sends the request once. Gives what is wrong, or nothing. Never rejects. */
async function askService(
	send: Send,
	{ method, url }: ServiceRequest,
): Promise<Failure | undefined> {
	try {
		return judge(await send({ method, url }));
	} catch (error) {
		return readConnectionError(error);
	}
}

/** @throws BookProblem */
async function askBook(send: Send, { api, table }: BookCredential): Promise<string> {
	const sendToBook: ApiSend = async ({ method, path, body }) => {
		try {
			return await send({ method, url: `${api}${path}`, ...(body && { body }) });
		} catch (error) {
			throw unreachable(error);
		}
	};
	return ` ${await testBook(sendToBook, table)}`;
}

function judge(response: ServiceResponse): Failure | undefined {
	const { status, body } = response;
	if (status === 404 && saysNoConversation(body)) return undefined;
	const answer = readAnswer(getConversation, response);
	return answer.kind === 'accepted' ? undefined : answer.failure;
}

/** "Conversation not found" (S 7.1), whatever stands around it; but no path, as in "/v1/conversation not found". */
const NO_CONVERSATION =
	/(?<![a-z0-9/.-])conversation(?:s|\(s\))?[^a-z0-9/]{0,9}(?:(?:was|is)[^a-z0-9/]{1,9})?(?:not[^a-z0-9/]{0,9}found|does[^a-z0-9/]{1,9}not[^a-z0-9/]{1,9}exist)/i;

/** True if one of the fields of S 7 says so; a server in between may fill another one. */
function saysNoConversation(body: unknown): boolean {
	if (!isObject(body)) return false;
	const { msg, message, error } = body;
	const nested = isObject(error) ? error.message : undefined;
	return [msg, message, error, nested].some((text) => NO_CONVERSATION.test(toPlainText(text)));
}
