import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { readAnswer, type ServiceResponse } from '../shared/answer/answer';
import { authenticateRequest } from '../shared/request/authenticateRequest';
import { readConnectionError } from '../shared/answer/connectionError';
import {
	createFailure,
	FAILURE_TEXTS,
	type Failure,
	type FailureKind,
} from '../shared/answer/failure';
import { createRedaction } from '../shared/answer/redact';
import { checkCredential, type CredentialValues, type Mode } from '../shared/request/credential';
import { planItem } from '../shared/request/request';
import type { ServiceRequest } from '../shared/request/serviceRequest';
import { helperResponse } from '../shared/request/transport';
import { isObject, toPlainText } from '../shared/values';
import { getConversation } from './resources/chat';

/** A user of whom the service has no conversation. */
export const UNKNOWN_USER = 'n8n-credential-test';

/** How long the service may take, in milliseconds: somebody looks at the dialog. */
const TIMEOUT = 15_000;

interface Texts {
	readonly message: string;
	readonly hint: string;
}

/** What is said in the credential's dialog where it differs from what the node says of an item. */
const TEXTS: Partial<Record<FailureKind, Partial<Texts>>> = {
	invalidApiKey: {
		hint: 'Enter the API key of this workspace, and check that the Workspace ID belongs to it.',
	},
	missingApiKey: {
		hint: 'Enter the API key. If it is there, look for a proxy that removes the x-api-key header.',
	},
	forbidden: {
		message: 'The API key may not use this workspace',
		hint: 'Enter the API key of this workspace, or the ID of the workspace that the key belongs to.',
	},
	invalidInput: {
		message: 'The service rejected the request',
		hint: 'Check the Workspace ID: it stands beside the API key in the dashboard of the service. Check the Base URL, too.',
	},
	notFound: {
		message: 'This address does not answer like the service',
		hint: 'Check the Base URL: it is the address that comes before /v1. If it is right, check the Workspace ID.',
	},
	badResponse: {
		hint: 'Check the Base URL: it is the address that comes before /v1. A proxy in between may also have answered.',
	},
	rateLimited: { hint: 'Wait a minute, then test again.' },
	timeout: {
		hint: 'Check the Base URL, and that no firewall stands between n8n and the service. Then test again.',
	},
};

const REDIRECT: Texts = {
	message: 'This address redirects to another one, and the key is not sent there',
	hint: 'Enter the address that it leads to as Base URL, e.g. with https:// instead of http://.',
};

/** What is said of a connection that was never made, by the code of the system or of Node.js. */
const CONNECTION_TEXTS: readonly (readonly [RegExp, Texts])[] = [
	[
		/^(?:ENOTFOUND|EAI_)/,
		{
			message: 'The host of the Base URL was not found',
			hint: 'Check how it is written, and whether n8n can look it up.',
		},
	],
	[
		/CERT|SSL|TLS|SIGNATURE|EPROTO/,
		{
			message: 'No secure connection to the service could be made',
			hint: 'Check that the Base URL begins with the right one of http:// and https://, and that n8n trusts the certificate of this host.',
		},
	],
];

/**
 * Tells whether the credential is good, by asking for the conversation of a user that does not exist
 * (S 4.3): the service answers a good key with 404 and its own text, or with 200 and a conversation.
 * Everything else is said in sentences: what is wrong, and what to do. Never rejects.
 */
export async function testApiCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	const credential = checkCredential(data);
	const plan = planItem(
		getConversation,
		({ property }) => (property.name === 'userIdentifier' ? UNKNOWN_USER : property.default),
		credential,
		() => '',
	);
	if ('problems' in plan) {
		return { status: 'Error', message: `${plan.problems.join('; ')}. Correct it and test again.` };
	}
	const failure = await ask(helpers, data, plan.main);
	return failure === undefined
		? { status: 'OK', message: `${CONNECTED}${describeMode(credential.mode)}` }
		: { status: 'Error', message: describe(failure) };
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

/** Sends the request once. Gives what is wrong, or nothing. Never rejects. */
async function ask(
	helpers: ICredentialTestFunctions['helpers'],
	credential: CredentialValues,
	{ method, url }: ServiceRequest,
): Promise<Failure | undefined> {
	try {
		const request = authenticateRequest(credential, { url, method, timeout: TIMEOUT, ...LEGACY });
		const raw: unknown = await Promise.race([helpers.request(request), deadline()]);
		if (raw === TIMED_OUT) return createFailure({ kind: 'timeout', outcome: 'unknown' });
		const response = helperResponse.parse(raw);
		const body = createRedaction(toPlainText(credential.apiKey))(response.body);
		return judge({ ...response, body });
	} catch (error) {
		return readConnectionError(error);
	}
}

/** The only helper that n8n gives to such a function is the older one, with options of its own. */
const LEGACY = { json: true, simple: false, resolveWithFullResponse: true } as const;

const TIMED_OUT = Symbol('timed out');

/** The helper's own time-out is one between two bytes. */
async function deadline(): Promise<typeof TIMED_OUT> {
	const signal = AbortSignal.timeout(TIMEOUT);
	return await new Promise((resolve) => {
		signal.addEventListener('abort', () => {
			resolve(TIMED_OUT);
		});
	});
}

function judge(response: ServiceResponse): Failure | undefined {
	const { status, body } = response;
	if (status === 404 && saysNoConversation(body)) return undefined;
	const answer = readAnswer(getConversation, response);
	return answer.accepted ? undefined : answer.failure;
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

/** What happened, what the service said of it, and what to do, in sentences. */
function describe(failure: Failure): string {
	const { kind, outcome, httpStatus, code, serviceMessage, moreInfo } = failure;
	const { message, hint } = {
		message: failure.message,
		// A test changes nothing, so it may be made again.
		hint: outcome === 'unknown' ? FAILURE_TEXTS[kind].hint : failure.hint,
		...textsOf(failure),
	};
	const evidence = httpStatus === null ? code : `HTTP ${httpStatus}`;
	const answer = [serviceMessage, httpStatus !== null && code, moreInfo].filter(Boolean).join(', ');
	return [
		evidence === null ? `${message}.` : `${message} (${evidence}).`,
		...(answer === '' ? [] : [`The answer says: "${answer}".`]),
		hint,
	].join(' ');
}

function textsOf({ kind, httpStatus, code }: Failure): Partial<Texts> | undefined {
	if (httpStatus !== null && httpStatus >= 300 && httpStatus < 400) return REDIRECT;
	const ofCode =
		kind === 'unreachable' && CONNECTION_TEXTS.find(([pattern]) => pattern.test(String(code)));
	return ofCode ? ofCode[1] : TEXTS[kind];
}
