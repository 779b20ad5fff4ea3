import type { IAuthenticateRuleResponseSuccessBody } from 'n8n-workflow';

/** Every status but those of a good key: 200, and 404 for a user that does not exist (S 4.3). */
export const REFUSED_STATUSES = Array.from({ length: 300 }, (_, index) => 300 + index).filter(
	(status) => status !== 404,
);

/** Latin characters and white space, and the mark that some texts begin with. */
const FIRST_CHARACTERS = [
	'\ufeff',
	...Array.from({ length: 247 }, (_, index) => String.fromCharCode(9 + index)),
];

/**
 * Tells a wrong address from a good key: some other server may answer 404 too, with a page or a text.
 * n8n compares a part of the answer with a value; a text has a first character, and a JSON object none.
 */
export const credentialTestRules: IAuthenticateRuleResponseSuccessBody[] = FIRST_CHARACTERS.map(
	(character) => ({
		type: 'responseSuccessBody',
		properties: {
			key: '0',
			value: character,
			message:
				'This address does not answer like the service. Check the Base URL: it is the address that comes before /v1.',
		},
	}),
);
