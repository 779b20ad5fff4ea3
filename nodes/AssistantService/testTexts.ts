import { FAILURE_TEXTS, type Failure, type FailureKind } from '../shared/answer/failure';

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

/** What happened, what the service said of it, and what to do, in sentences. */
export function describeTestFailure(failure: Failure): string {
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
