import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { checkCredential, type CheckedCredential } from './credential';
import { CREDENTIAL } from './transport';

/** For how many items of a long run the credential is read; the first and the last are among them. */
const MOST_READ = 12;

/** The fields that must be the same for all items: the requests of a run go out with one credential. */
const FIELDS = ['baseUrl', 'apiKey', 'workspaceId', 'mode', 'testNumber'] as const;

const DIFFERS =
	'The credential holds an expression that differs between the items, and a run uses one credential. Enter fixed values, or split the items into several nodes';

/** The credential of a run, as it was entered and checked. */
export interface RunCredential {
	readonly credential: ICredentialDataDecryptedObject;
	readonly checked: CheckedCredential;
}

/**
 * Reads the credential for the first item, the last and up to ten between them: n8n evaluates its expressions for one
 * item. If they differ, that is a problem of every item. Limit: what differs only for items in between is not seen.
 */
export async function readCredential(context: IExecuteFunctions): Promise<RunCredential> {
	const last = Math.max(0, context.getInputData().length - 1);
	const steps = Math.min(MOST_READ - 1, last);
	const indexes = Array.from({ length: steps + 1 }, (_, step) =>
		steps === 0 ? 0 : Math.round((step * last) / steps),
	);
	const [credential = {}, ...others] = await Promise.all(
		indexes.map(async (index) => await context.getCredentials(CREDENTIAL, index)),
	);
	const checked = checkCredential(credential);
	const differs = others.some((other) => FIELDS.some((name) => other[name] !== credential[name]));
	return {
		credential,
		checked: differs ? { ...checked, problems: [...checked.problems, DIFFERS] } : checked,
	};
}
