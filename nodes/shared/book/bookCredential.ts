import { baseUrl, headerText, label } from '../declaration/schemas';
import { bindToBase, type Addressed } from '../request/authenticateRequest';
import { withoutSlashes } from '../request/baseUrl';
import type { CredentialValues } from '../request/credential';
import { readValue } from '../request/reading';
import { toPlainText } from '../values';
import { BookProblem } from './problem';

export const BOOK_CREDENTIAL = 'assistantServiceContactBookApi';

/** Where the contact book is. */
export interface BookCredential {
	/** n8n's own address with `/api/v1`, without a slash at its end. */
	readonly api: string;
	readonly apiKey: string;
	/** The name or the ID of the Data Table. */
	readonly table: string;
}

/** The address of n8n's public API. People may have added white space, a trailing `/` or the `/api/v1` itself. */
const apiOf = (address: string): string =>
	`${withoutSlashes(withoutSlashes(address.trim()).replace(/\/api(?:\/v1)?$/, ''))}/api/v1`;

/**
 * Reads the credential of the contact book.
 *
 * @throws BookProblem that names each field which cannot be used
 */
export function readBookCredential(values: CredentialValues): BookCredential {
	const base = readValue('Base URL of the contact book', baseUrl, values.baseUrl);
	const key = readValue('API Key of the contact book', headerText, values.apiKey);
	const name = readValue('Table of the contact book', label, values.table);
	const problems = [...base.problems, ...key.problems, ...name.problems];
	if (base.value === undefined || key.value === undefined || name.value === undefined) {
		throw new BookProblem(
			problems.join('; '),
			'Correct the Assistant Service Contact Book API credential.',
		);
	}
	return { api: apiOf(base.value), apiKey: key.value, table: name.value };
}

/**
 * Adds the key to a request, which must go to n8n's public API: whoever may edit workflows can read what is sent to a webhook
 * at the same address.
 *
 * @throws Error if it goes elsewhere, or if it names a proxy
 */
export function authenticateBookRequest<T extends Addressed>(values: CredentialValues, request: T) {
	const { data = '' } = baseUrl.safeParse(values.baseUrl);
	const base = apiOf(data);
	if (!URL.canParse(base))
		throw new Error('The Base URL of the contact book must start with http:// or https://');
	return {
		...bindToBase(base, request, 'Assistant Service Contact Book API', 'Base URL with /api/v1'),
		headers: { ...request.headers, 'X-N8N-API-KEY': toPlainText(values.apiKey) },
	};
}
