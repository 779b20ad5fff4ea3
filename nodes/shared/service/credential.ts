import type { IExecuteFunctions } from 'n8n-workflow';

import { faultOf, type Fault } from '../answer/valueFault';
import { recipientNumber } from '../declaration/phoneNumber';
import { flag, headerText, label, oneOf, uuid } from '../declaration/schemas';
import { areNested, n8nAddress, serviceAddress } from './baseUrl';
import { problemOf, readValue } from '../declaration/readValue';
import { CREDENTIAL } from './transport';

/** The fields of the credential, as they were entered. */
export type CredentialValues = Readonly<Record<string, unknown>>;

/**
 * What is sent: everything; only what reads; or everything, with this number in place of each
 * recipient's (cleaned, with its country code).
 */
export type Mode =
	| { readonly kind: 'live' }
	| { readonly kind: 'checkOnly' }
	| { readonly kind: 'redirect'; readonly testNumber: string };

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
	readonly workspaceFaults: readonly Fault[];
	/** `checkOnly` if it cannot be read, which is one of the faults. */
	readonly mode: Mode;
	readonly faults: readonly Fault[];
	/** `undefined` if the credential has none, or none that can be used. */
	readonly book: BookCredential | undefined;
	/** They do not count for what only reads from the service. */
	readonly bookFaults: readonly Fault[];
}

export const NESTED =
	'"Base URL" and "n8n URL" of the credential lie within each other, so a key could reach the wrong server';

/** Checks a credential, once for all items of a run. */
export function checkCredential(values: CredentialValues): CredentialSettings {
	const workspace = readValue('Workspace ID of the credential', uuid, values.workspaceId);
	const base = readValue('Base URL of the credential', serviceAddress, values.baseUrl);
	const key = readValue('API Key of the credential', headerText, values.apiKey);
	const { mode, faults } = readMode(values);
	const { n8nUrl, book, bookFaults } = readBook(values);
	const isNested =
		base.value !== undefined && n8nUrl !== undefined && areNested(base.value, n8nUrl);
	return {
		workspaceId: workspace.value,
		workspaceFaults: workspace.faults,
		mode,
		faults: [...base.faults, ...key.faults, ...faults, ...(isNested ? [faultOf(NESTED)] : [])],
		book,
		bookFaults,
	};
}

/** Reads a credential's contact book. A switch never saved is off, an unreadable one a fault. */
function readBook(values: CredentialValues) {
	const { contactBook }: CredentialValues = { contactBook: false, ...values };
	const isOn = readValue('Contact Book of the credential', flag, contactBook);
	if (isOn.value !== true) return { bookFaults: isOn.faults };
	const url = readValue('n8n URL of the credential', n8nAddress, values.n8nUrl);
	const key = readValue('n8n API Key of the credential', headerText, values.n8nApiKey);
	const table = readValue('Contact Book Table of the credential', label, values.contactBookTable);
	const bookFaults = [...url.faults, ...key.faults, ...table.faults];
	const n8nUrl = url.value;
	if (n8nUrl === undefined || key.value === undefined || table.value === undefined)
		return { n8nUrl, bookFaults };
	const book = { api: `${n8nUrl}/api/v1`, apiKey: key.value, table: table.value };
	return { n8nUrl, book, bookFaults };
}

const kinds = oneOf('live', 'checkOnly', 'redirect');

/**
 * Reads the mode of a credential; `checkOnly` if it was never saved. One that cannot be read, e.g.
 * of an expression that gives nothing, is `checkOnly` and a fault: nothing may be sent.
 */
export function readMode(values: CredentialValues): Pick<CredentialSettings, 'mode' | 'faults'> {
	const { mode, testNumber }: CredentialValues = { mode: 'checkOnly', ...values };
	const { value: kind = 'checkOnly', faults } = readValue('Mode of the credential', kinds, mode);
	if (kind !== 'redirect') return { mode: { kind }, faults };
	const recipient = readValue('Test Number of the credential', recipientNumber, testNumber);
	return recipient.value === undefined
		? { mode: { kind: 'checkOnly' }, faults: recipient.faults }
		: { mode: { kind, testNumber: recipient.value }, faults };
}

/** The fields that must be the same for all items: a run sends with one credential. */
const FIELDS = [
	...['baseUrl', 'apiKey', 'workspaceId', 'mode', 'testNumber'],
	...['contactBook', 'n8nUrl', 'n8nApiKey', 'contactBookTable'],
];

export const DIFFERS =
	'The credential holds an expression that differs between the items, and a run uses one credential. Enter fixed values, or split the items into several nodes';

/**
 * Reads the credential, whose expressions n8n evaluates for one item. If it differs between items,
 * or cannot be read, every item has that fault: the run still reports what an earlier try has sent.
 */
export async function readCredential(context: IExecuteFunctions) {
	try {
		const credential = await context.getCredentials(CREDENTIAL, 0);
		const settings = checkCredential(credential);
		const faults = (await differsFrom(credential, context)) ? [faultOf(DIFFERS)] : [];
		return { credential, settings: { ...settings, faults: [...settings.faults, ...faults] } };
	} catch (error) {
		const faults = [faultOf(`The credential cannot be read: ${problemOf(error)}`)];
		const settings = { ...checkCredential({}), workspaceFaults: [], faults };
		return { credential: {}, settings };
	}
}

/**
 * Says whether the credential of an item is another than the first one's. Whether it depends on the
 * item is asked once, for one that does not exist: that read fails, or differs. Only then, all are
 * compared. Limit: what counts rows (`$itemIndex`) or guards against none (`?.`) stays the same.
 */
async function differsFrom(first: CredentialValues, context: IExecuteFunctions): Promise<boolean> {
	const { length } = context.getInputData();
	const isOther = async (index: number): Promise<boolean> => {
		const credential = await context.getCredentials(CREDENTIAL, index);
		return FIELDS.some((name) => credential[name] !== first[name]);
	};
	if (length < 2 || !(await isOther(length).catch(() => true))) return false;
	for (let index = 1; index < length; index++) if (await isOther(index)) return true;
	return false;
}
