import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { describeMenu } from '../shared/declaration/description';
import { runOperation } from '../shared/runOperation';
import { requestDefaults } from '../shared/service/transport';
import { goOn } from '../shared/waiting/goOn';
import { searchParagraphs } from './listSearch';
import { menu } from './resources';
import { testCredential } from './testCredential';

/** How an execution is resumed: by POST to its resume address with the node's ID before the `?`. */
const waitingWebhooks: INodeTypeDescription['webhooks'] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		// Empty, so that n8n answers with what the webhook method returns.
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	},
];

/** The operations of the service in n8n (S 4). */
export class AssistantService implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Assistant Service',
		name: 'assistantService',
		icon: {
			light: 'file:../../icons/assistantService.svg',
			dark: 'file:../../icons/assistantService.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Call, message and chat with people through AI assistants, and manage what the assistants know',
		defaults: { name: 'Assistant Service' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Places real phone calls, sends real SMS and msgapp messages, and chats, by AI assistants. To call and go on at once, also a list, one item per person: `call.place`. To use the result of the call in the same workflow: `call.placeAndWait`. Messages: `sms.start`, `msgapp.startConversation`; chat: `chat.start`, `chat.continue`. Never call a list by `campaign.createBulk`: it ignores the rules of contact. Ask the user for the IDs of assistants and knowledge bases, and for the number that calls: the service cannot list them. As tools of an AI agent, use one node for each operation.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-assistant-service.assistantServiceTrigger',
					relationHint:
						"Starts a workflow when a call has ended, with its summary and transcript: for `call.place`, and calls placed elsewhere. `call.placeAndWait` needs it in a published workflow, and the contact book (a key of n8n's API) in the credential of both nodes.",
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'assistantServiceApi', required: true, testedBy: 'testCredential' }],
		requestDefaults,
		webhooks: waitingWebhooks,
		waitingNodeTooltip:
			'=Waiting until the calls have ended, for {{ $parameter.waitAtMost }} hours at most. A workflow with the Assistant Service Trigger must be published.',
		properties: describeMenu(menu.resources, menu.defaultResource),
	};

	methods = { credentialTest: { testCredential }, listSearch: { searchParagraphs } };

	/**
	 * Replaces n8n's router for declarative nodes, which starts all items at once and loses the
	 * accepted answers if one fails. Here its declarations run in order, at a pace; nothing is lost.
	 */
	async execute(this: IExecuteFunctions) {
		return await runOperation(this, menu.resources);
	}

	async webhook(this: IWebhookFunctions) {
		return await goOn(this);
	}
}
