import { recipientNumber } from '../declaration/phoneNumber';
import { flag, headerText, label, oneOf, uuid } from '../declaration/schemas';
import { toPlainText } from '../values';
import { areNested, n8nAddress, serviceAddress } from './baseUrl';
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

/** Where the contact book is. */
export interface BookCredential {
	/** n8n's own address with `/api/v1`, without a slash at its end. */
	readonly api: string;
	readonly apiKey: string;
	/** The name or the ID of the Data Table. */
	readonly table: string;
}

/** What the requests of a run take from the credential, and what is wrong with it. */
export interface CredentialSettings {
	readonly workspaceId: unknown;
	/** They do not count for an item with a workspace of its own. */
	readonly workspaceProblems: readonly string[];
	/** `checkOnly` if it cannot be read, which is one of the problems. */
	readonly mode: Mode;
	readonly problems: readonly string[];
	/** `undefined` if the credential has none, or none that can be used. */
	readonly book: BookCredential | undefined;
	/** They do not count for what only reads from the service. */
	readonly bookProblems: readonly string[];
}

export const NESTED =
	'"Base URL" and "n8n URL" of the credential lie within each other, so a key could reach the wrong server';

/** Checks a credential, once for all items of a run. */
export function checkCredential(values: CredentialValues): CredentialSettings {
	const workspace = readValue('Workspace ID of the credential', uuid, values.workspaceId);
	const base = readValue('Base URL of the credential', serviceAddress, values.baseUrl);
	const key = readValue('API Key of the credential', headerText, values.apiKey);
	const { mode, problems } = readMode(values);
	const { n8nUrl, book, bookProblems } = readBook(values);
	const isNested =
		base.value !== undefined && n8nUrl !== undefined && areNested(base.value, n8nUrl);
	return {
		workspaceId: workspace.value,
		workspaceProblems: workspace.problems,
		mode,
		problems: [...base.problems, ...key.problems, ...problems, ...(isNested ? [NESTED] : [])],
		book,
		bookProblems,
	};
}

/** Reads the contact book of a credential. A switch that was never saved is off; one that cannot be read is a problem. */
function readBook(values: CredentialValues): {
	readonly n8nUrl?: string | undefined;
	readonly book?: BookCredential;
	readonly bookProblems: readonly string[];
} {
	const { contactBook }: CredentialValues = { contactBook: false, ...values };
	const isOn = readValue('Contact Book of the credential', flag, contactBook);
	if (isOn.value !== true) return { bookProblems: isOn.problems };
	const url = readValue('n8n URL of the credential', n8nAddress, values.n8nUrl);
	const key = readValue('n8n API Key of the credential', headerText, values.n8nApiKey);
	const table = readValue('Contact Book Table of the credential', label, values.contactBookTable);
	const bookProblems = [...url.problems, ...key.problems, ...table.problems];
	const n8nUrl = url.value;
	if (n8nUrl === undefined || key.value === undefined || table.value === undefined)
		return { n8nUrl, bookProblems };
	const book = { api: `${n8nUrl}/api/v1`, apiKey: key.value, table: table.value };
	return { n8nUrl, book, bookProblems };
}

/** What of a credential must appear nowhere. */
export const secretsOf = (values: CredentialValues): string[] =>
	['apiKey', 'n8nApiKey', 'webhookSecret', 'previousWebhookSecret'].map((name) =>
		toPlainText(values[name]),
	);

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
