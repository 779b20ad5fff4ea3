import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { authenticateBookRequest } from '../nodes/shared/book/bookCredential';

/** Where the contact book is: a Data Table of n8n, which n8n's own public API reads and writes. */
export class AssistantServiceContactBookApi implements ICredentialType {
	name = 'assistantServiceContactBookApi';

	displayName = 'Assistant Service Contact Book API';

	icon = {
		light: 'file:../icons/assistantService.svg',
		dark: 'file:../icons/assistantService.dark.svg',
	} as const;

	documentationUrl = 'https://docs.n8n.io/integrations/community-nodes/';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. http://localhost:5678',
			description: 'The address of this n8n, as n8n itself can reach it',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'A key from Settings > n8n API with the scopes dataTable:list, dataTable:create, dataTableRow:read, dataTableRow:create and dataTableRow:update, and dataTableColumn:create if the table is yours and lacks columns',
		},
		{
			displayName: 'Table',
			name: 'table',
			type: 'string',
			default: 'Contact book',
			required: true,
			placeholder: 'e.g. Contact book',
			description:
				'The name or the ID of the Data Table. If there is none of this name, it is made. All nodes with this table share their contacts.',
		},
	];

	/**
	 * Adds the key. n8n calls it for its HTTP Request node, too.
	 *
	 * @throws Error if the address of the request is not one of n8n's public API
	 */
	authenticate = async (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		return await Promise.resolve(authenticateBookRequest(credential, request));
	};
}
