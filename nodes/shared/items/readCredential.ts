import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { checkCredential, type CredentialSettings } from './credential';
import { problemOf } from './reading';
import { CREDENTIAL } from './transport';

/** The fields that must be the same for all items: the requests of a run go out with one credential. */
const FIELDS = [
	...['baseUrl', 'apiKey', 'workspaceId', 'mode', 'testNumber'],
	...['contactBook', 'n8nUrl', 'n8nApiKey', 'contactBookTable'],
];

const DIFFERS =
	'The credential holds an expression that differs between the items, and a run uses one credential. Enter fixed values, or split the items into several nodes';

/** A credential that n8n cannot read fails each item, not the run, which so still reports what an earlier try has sent. */
const unreadable = (error: unknown): CredentialSettings => ({
	...checkCredential({}),
	workspaceProblems: [],
	problems: [`The credential cannot be read: ${problemOf(error)}`],
});

/** The credential of a run, as it was entered and checked. */
export interface RunCredential {
	readonly credential: ICredentialDataDecryptedObject;
	readonly settings: CredentialSettings;
}

/**
 * Reads the credential for the first item and the last: n8n evaluates its expressions for one item. If they differ, or one
 * cannot be read, that is a problem of every item. Limit: what differs only for items in between is not seen.
 */
export async function readCredential(context: IExecuteFunctions): Promise<RunCredential> {
	const last = context.getInputData().length - 1;
	const indexes = last > 0 ? [0, last] : [0];
	let read: ICredentialDataDecryptedObject[];
	try {
		read = await Promise.all(
			indexes.map(async (index) => await context.getCredentials(CREDENTIAL, index)),
		);
	} catch (error) {
		return { credential: {}, settings: unreadable(error) };
	}
	const [credential = {}, other = credential] = read;
	const settings = checkCredential(credential);
	const differs = FIELDS.some((name) => other[name] !== credential[name]);
	return {
		credential,
		settings: differs ? { ...settings, problems: [...settings.problems, DIFFERS] } : settings,
	};
}
