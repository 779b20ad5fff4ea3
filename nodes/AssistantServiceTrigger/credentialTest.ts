import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { isBlank } from '../shared/values';

/** Shorter secrets can be guessed. */
const MIN_LENGTH = 16;

/** For the secret, and for the name of its header: common servers take headers of up to 8 KiB. */
const MAX_LENGTH = 4_096;

/** The characters of a header's name (RFC 9110, section 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Printable ASCII: senders differ in how they encode other characters in a header (RFC 9110, section 5.5). */
const HEADER_VALUE = /^[ -~]+$/;

const USABLE = 'The secret can be used. The first event shows whether the service sends it.';

const BOTH =
	'The previous secret is accepted, too. Clear Previous Secret once the service sends the new one.';

/**
 * Reports a weak or unusable secret, previous secret or header name. It cannot test whether the service sends the same
 * secret.
 */
export async function testWebhookSecret(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { secret, previousSecret, headerName } = data;
	const problem =
		findSecretProblem('secret', typeof secret === 'string' ? secret : '') ??
		findPreviousProblem(previousSecret) ??
		findHeaderProblem(headerName);
	return await Promise.resolve(
		problem === undefined
			? { status: 'OK', message: isBlank(previousSecret) ? USABLE : `${USABLE} ${BOTH}` }
			: { status: 'Error', message: problem },
	);
}

function findSecretProblem(name: string, secret: string): string | undefined {
	if (secret.length < MIN_LENGTH)
		return `The ${name} is too short. Use at least ${MIN_LENGTH} random characters.`;
	if (secret.length > MAX_LENGTH)
		return `The ${name} is too long for a header. Use at most ${MAX_LENGTH} characters.`;
	if (secret !== secret.trim())
		return `The ${name} begins or ends with white space, which HTTP headers do not keep.`;
	if (!HEADER_VALUE.test(secret))
		return `The ${name} has characters that HTTP headers do not carry. Use ASCII letters, digits and signs.`;
	return undefined;
}

function findPreviousProblem(previous: unknown): string | undefined {
	if (isBlank(previous)) return undefined;
	if (typeof previous !== 'string')
		return 'The previous secret is not a text, so the trigger does not accept it. Enter the old secret as text, or clear the field.';
	return findSecretProblem('previous secret', previous);
}

function findHeaderProblem(headerName: unknown): string | undefined {
	if (typeof headerName !== 'string' || headerName.length > MAX_LENGTH)
		return `Enter a header name of at most ${MAX_LENGTH} characters.`;
	if (!HEADER_NAME.test(headerName))
		return 'The header name has characters that HTTP does not allow.';
	return undefined;
}
