import type { ICredentialType, INodeProperties } from 'n8n-workflow';

/** The secret that the sender of end-of-call events has to know. */
export class AssistantServiceWebhookApi implements ICredentialType {
	name = 'assistantServiceWebhookApi';

	displayName = 'Assistant Service Webhook API';

	icon = {
		light: 'file:../icons/assistantService.svg',
		dark: 'file:../icons/assistantService.dark.svg',
	} as const;

	documentationUrl = 'https://docs.n8n.io/integrations/community-nodes/';

	properties: INodeProperties[] = [
		{
			displayName: 'Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'A long random text that only n8n and the service know. The service sends it with each event, in the header below or as ?secret=... at the end of the webhook URL.',
		},
		{
			displayName: 'Header Name',
			name: 'headerName',
			type: 'string',
			default: 'x-webhook-secret',
			placeholder: 'e.g. x-webhook-secret',
			description: 'The name of the HTTP header that carries the secret',
		},
		{
			displayName: 'Previous Secret',
			name: 'previousSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'While you change the secret: the old one, which is accepted beside the new one. Clear it as soon as the service sends the new one.',
		},
	];
}
