import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { checkOptions } from './checkOptions';
import { testWebhookSecret } from './credentialTest';
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
		subtitle: 'On call ended',
		description: 'Starts the workflow when a call of an assistant has ended',
		eventTriggerDescription: 'Waiting for the end of a call',
		activationMessage: 'The workflow now starts when a call ends.',
		defaults: { name: 'Assistant Service Trigger' },
		triggerPanel: {
			header: 'Listen for the end of a call',
			executionsHelp: {
				inactive:
					'<b>To try it:</b> paste the <i>Test URL</i> into the webhook setting of your workspace in the dashboard of the service, click the button below, then make a call and end it. The test URL works for one event, for two minutes.<br /><br /><b>For real use:</b> paste the <i>Production URL</i> there instead and activate (publish) the workflow. Nothing arrives on it until then.',
				active:
					'<b>To try it:</b> click the button below. n8n takes the next event that the service sends to the <i>Test URL</i> within two minutes.<br /><br /><b>The workflow is active:</b> it starts for each event that the service sends to the <i>Production URL</i>. These runs appear under Executions.',
			},
			activationHint:
				'Paste the production URL into the webhook setting of your workspace, then activate (publish) the workflow.',
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'assistantServiceWebhookApi',
				required: true,
				testedBy: 'testWebhookSecret',
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

	methods = { credentialTest: { testWebhookSecret } };

	/** The service offers no way to register a webhook (S 6.5), so the user pastes the URL there. */
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await Promise.resolve(false);
			},
			/** Checks the options that would otherwise fail at the first event. */
			async create(this: IHookFunctions): Promise<boolean> {
				checkOptions(this);
				return await Promise.resolve(true);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await Promise.resolve(true);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveDelivery(this);
	}
}
