import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { authenticateRequest } from '../nodes/shared/service/authenticateRequest';

const OF_BOOK = { required: true, displayOptions: { show: { contactBook: [true] } } };

/**
 * The service (S 5), the contact book and the secret of the webhook (S 6), for both nodes. It has
 * no `test` of its own, which n8n would prefer to the function that the nodes name in `testedBy`.
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
			description: 'The address of the service, without /v1 at its end',
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
			description: 'The ID of the workspace of the key, from the dashboard of the service',
		},
		{
			displayName: 'Mode',
			name: 'mode',
			type: 'options',
			options: [
				{
					name: 'Check Only',
					value: 'checkOnly',
					description: 'Check everything, but send nothing that reaches people or changes data',
				},
				{
					name: 'Live',
					value: 'live',
					description: 'Send everything: people are reached and data is changed',
				},
				{
					name: 'Redirect',
					value: 'redirect',
					description:
						'Send calls and messages to the test number instead of their recipients. Bulk campaigns are refused. Everything else is sent as in Live.',
				},
			],
			default: 'checkOnly',
			description:
				'What is sent with this credential. In Check Only and Redirect, other nodes can send only GET requests with it.',
		},
		{
			displayName:
				'Nobody is reached with this credential: nodes show what they would send. To go live, create a second credential with the mode Live, and choose it in the node.',
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
				'Your own phone number, which gets all calls and messages. Begin with + or 00 and the country code.',
		},
		{
			displayName: 'Contact Book',
			name: 'contactBook',
			type: 'boolean',
			// It shows other fields, and is the same for all items.
			noDataExpression: true,
			default: false,
			description:
				"Whether to remember who was contacted or opted out, in a table that all nodes with this credential share. Needs a key of n8n's API.",
		},
		{
			displayName: 'n8n URL',
			name: 'n8nUrl',
			type: 'string',
			default: '',
			...OF_BOOK,
			placeholder: 'e.g. http://localhost:5678',
			description: 'The address of this n8n, as n8n itself reaches it',
		},
		{
			displayName: 'n8n API Key',
			name: 'n8nApiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			...OF_BOOK,
			description:
				'A key from Settings > n8n API. It may list and create Data Tables, and read, create, update and delete rows.',
		},
		{
			displayName: 'Contact Book Table',
			name: 'contactBookTable',
			type: 'string',
			default: 'Contact book',
			...OF_BOOK,
			placeholder: 'e.g. Contact book',
			description:
				'The name or ID of the Data Table. If n8n has no contact book yet, the test of this credential makes it.',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'A long random text that the trigger expects with each event. The service sends it in the header below, or as ?secret=... at the end of the webhook URL.',
		},
		{
			displayName: 'Webhook Header',
			name: 'webhookHeader',
			type: 'string',
			default: 'x-webhook-secret',
			placeholder: 'e.g. x-webhook-secret',
			description: 'The name of the HTTP header that carries the webhook secret',
		},
		{
			displayName: 'Previous Webhook Secret',
			name: 'previousWebhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'The old secret, still accepted while you change it. Clear it as soon as the service sends the new one.',
		},
	];

	/**
	 * Adds the address and the key (S 5.1), or n8n's key. Also called by n8n's HTTP Request node.
	 *
	 * @throws Error if nothing may be sent; see `authenticateRequest`
	 */
	authenticate = async (credential: ICredentialDataDecryptedObject, request: IHttpRequestOptions) =>
		await Promise.resolve(authenticateRequest(credential, request));
}
