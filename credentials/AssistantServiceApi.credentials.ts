import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { authenticateRequest } from '../nodes/shared/request/authenticateRequest';

/**
 * The API key and the address of the service (S 5). It has no `test` of its own, which n8n would prefer
 * to the function that the node names in `testedBy`.
 */
export class AssistantServiceApi implements ICredentialType {
	name = 'assistantServiceApi';

	displayName = 'Assistant Service API';

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
			placeholder: 'e.g. https://assistant.example.com/api',
			description: 'The address of the service that comes before /v1',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The key of your workspace, from the dashboard of the service',
		},
		{
			displayName: 'Workspace ID',
			name: 'workspaceId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d',
			description:
				'The ID of the workspace that the key belongs to, from the dashboard of the service',
		},
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			options: [
				{
					name: 'Check Only',
					value: 'checkOnly',
					description:
						'Everything is checked, but nothing that reaches people or changes data is sent',
				},
				{
					name: 'Live',
					value: 'live',
					description: 'Everything is sent: people are reached and data is changed',
				},
				{
					name: 'Redirect',
					value: 'redirect',
					description:
						'Calls and messages go to the test number instead of their recipients. Bulk campaigns are refused. Everything else is sent as in Live.',
				},
			],
			default: 'checkOnly',
			description:
				'Whether people are reached and data is changed. In Check Only and Redirect, other nodes can send only GET requests with this credential.',
		},
		{
			displayName:
				'Nobody is reached with this credential: nodes show their requests and send none. To go live, create a second credential with the mode Live, and choose it in the node.',
			name: 'checkOnlyNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { mode: ['checkOnly'] } },
		},
		{
			displayName:
				'Live: workflows with this credential call and message real people. A new node gets the credential that was saved last: this one, once you save it.',
			name: 'liveNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { mode: ['live'] } },
		},
		{
			displayName: 'Test Number',
			name: 'testNumber',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { mode: ['redirect'] } },
			placeholder: 'e.g. +4915112345678',
			description:
				'A phone number of your own that gets all calls and messages. It begins with + or 00 and the country code.',
		},
	];

	/**
	 * Adds the address and the key (S 5.1). n8n calls it for its HTTP Request node, too.
	 *
	 * @throws Error if the address of the request is not under the Base URL, or if the mode is not `live` and it is not a GET
	 */
	authenticate = async (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		return await Promise.resolve(authenticateRequest(credential, request));
	};
}
