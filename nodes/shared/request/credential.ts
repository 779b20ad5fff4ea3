import { recipientNumber } from '../declaration/phoneNumber';
import { baseUrl, headerText, oneOf, uuid } from '../declaration/schemas';
import { readValue } from './reading';

/** The fields of the credential, as they were entered. */
export type CredentialValues = Readonly<Record<string, unknown>>;

/**
 * What is sent: everything; only what reads; or everything, with this number in place of each recipient's (cleaned, with
 * its country code).
 */
export type Mode =
	| { readonly kind: 'live' }
	| { readonly kind: 'checkOnly' }
	| { readonly kind: 'redirect'; readonly testNumber: string };

/** What the requests of a run take from the credential, and what is wrong with it. */
export interface CredentialSettings {
	readonly workspaceId: unknown;
	/** They do not count for an item with a workspace of its own. */
	readonly workspaceProblems: readonly string[];
	/** `checkOnly` if it cannot be read, which is one of the problems. */
	readonly mode: Mode;
	readonly problems: readonly string[];
}

/** Checks a credential, once for all items of a run. */
export function checkCredential(values: CredentialValues): CredentialSettings {
	const workspace = readValue('Workspace ID of the credential', uuid, values.workspaceId);
	const base = readValue('Base URL of the credential', baseUrl, values.baseUrl);
	const key = readValue('API Key of the credential', headerText, values.apiKey);
	const { mode, problems } = readMode(values);
	return {
		workspaceId: workspace.value,
		workspaceProblems: workspace.problems,
		mode,
		problems: [...base.problems, ...key.problems, ...problems],
	};
}

const modeKind = oneOf('live', 'checkOnly', 'redirect');

/**
 * Reads the mode of a credential. One that was never saved is the default, `checkOnly`. One that cannot be read, such as
 * the `undefined` of an expression that gives nothing, is `checkOnly` and a problem: nothing may be sent.
 */
export function readMode(values: CredentialValues): {
	readonly mode: Mode;
	readonly problems: readonly string[];
} {
	const { mode, testNumber }: CredentialValues = { mode: 'checkOnly', ...values };
	const { value: kind = 'checkOnly', problems } = readValue(
		'Mode of the credential',
		modeKind,
		mode,
	);
	if (kind !== 'redirect') return { mode: { kind }, problems };
	const number = readValue('Test Number of the credential', recipientNumber, testNumber);
	return number.value === undefined
		? { mode: { kind: 'checkOnly' }, problems: number.problems }
		: { mode: { kind, testNumber: number.value }, problems };
}
