import { baseUrl, headerText, uuid } from '../declaration/schemas';
import { readValue } from './reading';

/** The fields of the credential, as they were entered. */
export type CredentialValues = Readonly<Record<string, unknown>>;

/** How the requests of a credential are treated. */
export type Mode =
	| { readonly kind: 'live' }
	| { readonly kind: 'checkOnly' }
	| { readonly kind: 'redirect'; readonly testNumber: string };

/** What the requests of a run take from the credential, and what is wrong with it. */
export interface CheckedCredential {
	readonly mode: Mode;
	readonly workspaceId: unknown;
	/** They do not count for an item with a workspace of its own. */
	readonly workspaceProblems: readonly string[];
	readonly problems: readonly string[];
}

/** Checks a credential, once for all items of a run. */
export function checkCredential(values: CredentialValues): CheckedCredential {
	const workspace = readValue('Workspace ID of the credential', uuid, values.workspaceId);
	const base = readValue('Base URL of the credential', baseUrl, values.baseUrl);
	const key = readValue('API Key of the credential', headerText, values.apiKey);
	return {
		mode: { kind: 'live' },
		workspaceId: workspace.value,
		workspaceProblems: workspace.problems,
		problems: [...base.problems, ...key.problems],
	};
}
