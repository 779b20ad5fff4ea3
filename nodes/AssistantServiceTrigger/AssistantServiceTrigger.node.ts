import {
	NodeConnectionTypes,
	NodeOperationError,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { testCredential } from '../AssistantService/testCredential';
import { toPlainText } from '../shared/values';
import { readAllowlist } from './ipAllowlist';
import { PROPERTY_OPTIONS } from './namedProperties';
import { triggerPanel } from './panel';
import { triggerProperties } from './properties';
import { receiveDelivery } from './receive';

/** Starts a workflow at the end of a call (S 6). */
export class AssistantServiceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Assistant Service Trigger',
		name: 'assistantServiceTrigger',
		icon: {
			light: 'file:../../icons/assistantService.svg',
			dark: 'file:../../icons/assistantService.dark.svg',
		},
		group: ['trigger'],
		// n8n evaluates an expression for each delivery to a webhook node of version 1.
		version: [1, 1.1],
		subtitle: 'When a call has ended',
		// n8n lists node and trigger as one entry, with this text, both as a first and as a next step.
		description:
			"Call, message and chat with people through AI assistants, or start a workflow when an assistant's call has ended",
		eventTriggerDescription: "Waiting for an assistant's call to end",
		activationMessage: "The workflow now starts when an assistant's call has ended.",
		defaults: { name: 'Assistant Service Trigger' },
		builderHint: {
			searchHint:
				"Starts a workflow when an assistant's call has ended, with its summary, transcript and custom variables, wherever the call was placed. A workflow with it must be published for `call.placeAndWait`. The service has no API for webhooks: tell the user to enter the URL of the trigger and its secret in the dashboard of the service. It does not start on incoming messages.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-assistant-service.assistantService',
					relationHint:
						'Places the call. Its callId is the one that this trigger outputs. To use the result in the workflow that calls, choose `call.placeAndWait` there.',
				},
			],
		},
		triggerPanel,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'assistantServiceApi',
				required: true,
				testedBy: 'testCredential',
				displayOptions: { show: { authentication: ['secret'] } },
			},
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Empty, so that n8n answers with what the webhook method returns.
				responseData: '',
				path: 'webhook',
			},
		],
		properties: triggerProperties,
	};

	methods = { credentialTest: { testCredential } };

	/** The service offers no way to register a webhook (S 6.5), so the user pastes the URL there. */
	webhookMethods = {
		default: {
			checkExists: async () => await Promise.resolve(false),
			/** Checks the options that would otherwise fail at the first event. */
			async create(this: IHookFunctions): Promise<boolean> {
				checkOptions(this);
				return await Promise.resolve(true);
			},
			delete: async () => await Promise.resolve(true),
		},
	};

	async webhook(this: IWebhookFunctions) {
		return await receiveDelivery(this);
	}
}

/** @throws NodeOperationError that says which option cannot be used */
function checkOptions(context: IHookFunctions): void {
	const unusable = (message: string): NodeOperationError =>
		new NodeOperationError(context.getNode(), message, {
			description: 'Correct the options of the trigger, then publish the workflow again.',
		});
	for (const [option, label] of Object.entries(PROPERTY_OPTIONS)) {
		const name: unknown = context.getNodeParameter(`options.${option}`, null);
		if (name !== null && toPlainText(name) === '') throw unusable(`${label} is empty`);
	}
	try {
		readAllowlist(context);
	} catch (error) {
		throw unusable(`IP Allowlist: ${error instanceof Error ? error.message : 'unreadable'}`);
	}
}
