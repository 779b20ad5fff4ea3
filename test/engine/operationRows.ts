import axios from 'axios';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	ASSISTANT_ID,
	FROM_NUMBER,
	KNOWLEDGE_BASE,
	KNOWLEDGE_BASE_ID,
	PHONE_NUMBER_ID,
	PROMPT,
	WORKSPACE_ID,
} from '../simulator/seed';
import type { Simulator } from '../simulator/contract';

/** One operation: what the user enters, what must be on the wire, and what must come out. */
export interface OperationRow {
	readonly resource: string;
	readonly operation: string;
	readonly parameters: INodeParameters;
	readonly method: string;
	readonly path: string;
	/** `undefined` if the request has no body. */
	readonly body?: IDataObject;
	readonly output: IDataObject[];
	/** What the service has to hold before. */
	readonly prepare?: (simulator: Simulator) => void | Promise<void>;
}

const TO = '+4915112345678';
const WA_ID = '4915112345678';
const anyText: unknown = expect.stringMatching(/\S/);
const value = (matcher: unknown) => matcher as IDataObject[string];

const sendResult = {
	msg: value(anyText),
	messageId: value(anyText),
	messageStatus: value(anyText),
	recipient: WA_ID,
	phoneNumberId: PHONE_NUMBER_ID,
};

/** Starts a conversation as another client of the service would. */
async function startChat(simulator: Simulator, userIdentifier: string): Promise<void> {
	const body = {
		workspaceId: WORKSPACE_ID,
		assistantId: ASSISTANT_ID,
		userIdentifier,
		question: 'Hi',
	};
	await axios.post(`${simulator.baseUrl}/v1/chatbot`, body, {
		headers: { 'x-api-key': simulator.apiKey },
	});
}

export const OPERATION_ROWS: OperationRow[] = [
	{
		resource: 'chat',
		operation: 'start',
		parameters: {
			assistantId: ASSISTANT_ID,
			userIdentifier: ' customer/47 11? ',
			question: 'Are you open?',
			customFields: { customField1: 'Ada', customField8: 8, customField2: '' },
		},
		method: 'POST',
		path: '/v1/chatbot',
		body: {
			workspaceId: WORKSPACE_ID,
			assistantId: ASSISTANT_ID,
			userIdentifier: 'customer/47 11?',
			question: 'Are you open?',
			attributes: { customField1: 'Ada', customField8: '8' },
		},
		output: [{ response: value(anyText), conversationId: value(anyText) }],
	},
	{
		resource: 'chat',
		operation: 'continue',
		parameters: {
			assistantId: ASSISTANT_ID,
			userIdentifier: 'customer-4711',
			question: 'And on Sunday?',
		},
		method: 'POST',
		path: '/v1/chatbot',
		body: {
			workspaceId: WORKSPACE_ID,
			assistantId: ASSISTANT_ID,
			userIdentifier: 'customer-4711',
			question: 'And on Sunday?',
		},
		output: [{ response: value(anyText), conversationId: value(anyText) }],
		prepare: async (simulator) => {
			await startChat(simulator, 'customer-4711');
		},
	},
	{
		resource: 'chat',
		operation: 'getConversation',
		parameters: { userIdentifier: 'Zoë/1 %?' },
		method: 'GET',
		path: `/v1/conversation/workspace/${WORKSPACE_ID}/Zo%C3%AB%2F1%20%25%3F`,
		output: [
			{
				_id: value(anyText),
				workspace: WORKSPACE_ID,
				messages: value(expect.any(Array)),
				attributes: {},
			},
		],
		prepare: async (simulator) => {
			await startChat(simulator, 'Zoë/1 %?');
		},
	},
	{
		resource: 'call',
		operation: 'place',
		parameters: {
			assistantId: ASSISTANT_ID,
			fromNumber: FROM_NUMBER,
			toNumber: '0049 (151) 1234-56.78',
			priority: 2,
			specifyAttributes: 'json',
			attributesJson: '{ "customField3": "x" }',
		},
		method: 'POST',
		path: `/v1/voice/placeoutboundcall/${WORKSPACE_ID}/${ASSISTANT_ID}`,
		body: {
			fromNumber: FROM_NUMBER,
			toNumber: TO,
			priority: 2,
			attributes: { customField3: 'x' },
		},
		output: [{ callId: value(anyText), status: 'placed', queued: false, msg: value(anyText) }],
	},
	{
		resource: 'sms',
		operation: 'start',
		parameters: {
			assistantId: ASSISTANT_ID,
			fromNumber: FROM_NUMBER,
			toNumber: 4915112345678,
			message: 'Hello',
		},
		method: 'POST',
		path: `/v1/sms/startSMSThread/${ASSISTANT_ID}`,
		body: {
			workspaceId: WORKSPACE_ID,
			fromNumber: FROM_NUMBER,
			toNumber: WA_ID,
			message: 'Hello',
		},
		output: [{ msg: value(anyText), messageId: value(anyText) }],
	},
	{
		resource: 'campaign',
		operation: 'createSingle',
		parameters: {
			campaignType: 'msgapp',
			assistantId: ASSISTANT_ID,
			fromNumber: FROM_NUMBER,
			toNumber: TO,
			message: 'hidden, so it is not sent',
			templateName: 'appointment_reminder',
			templateLanguage: 'en',
			ignorePreviousCampaigns: true,
			customFields: { customField1: 'Ada' },
		},
		method: 'POST',
		path: `/v1/campaigns/createCampaign/${WORKSPACE_ID}`,
		body: {
			campaignType: 'msgapp',
			assistantId: ASSISTANT_ID,
			fromNumber: FROM_NUMBER,
			toNumber: TO,
			triggerType: 'triggerImmediately',
			templateName: 'appointment_reminder',
			templateLanguage: 'en',
			ignorePreviousCampaigns: true,
			attributes: { customField1: 'Ada' },
		},
		output: [{ message: value(anyText), campaignId: value(anyText) }],
	},
	{
		resource: 'campaign',
		operation: 'createBulk',
		parameters: {
			campaignName: 'Spring',
			campaignType: 'sms',
			assistantId: ASSISTANT_ID,
			fromNumber: FROM_NUMBER,
			sheetUrl: 'https://example.com/contacts.xlsx',
			description: '',
			message: 'Hello',
		},
		method: 'POST',
		path: `/v1/bulkCampaigns/createBulkCampaign/${WORKSPACE_ID}`,
		body: {
			name: 'Spring',
			campaignType: 'sms',
			assistantId: ASSISTANT_ID,
			fromNumber: FROM_NUMBER,
			sheetURL: 'https://example.com/contacts.xlsx',
			triggerType: 'triggerImmediately',
			message: 'Hello',
		},
		output: [{ message: value(anyText), campaignId: null }],
	},
	{
		resource: 'msgapp',
		operation: 'startConversation',
		parameters: {
			assistantId: ASSISTANT_ID,
			toNumber: TO,
			templateName: 'appointment_reminder',
			language: 'en',
			attributes: { values: [{ name: 'firstName', value: 'Ada' }] },
		},
		method: 'POST',
		path: `/v1/msgapp/manage/startMsgappThread/${WORKSPACE_ID}/${ASSISTANT_ID}`,
		body: {
			toNumber: TO,
			templateName: 'appointment_reminder',
			language: 'en',
			attributes: { firstName: 'Ada' },
		},
		output: [{ ...sendResult, conversationId: value(anyText) }],
	},
	{
		resource: 'msgapp',
		operation: 'continueConversation',
		parameters: {
			assistantId: ASSISTANT_ID,
			toNumber: TO,
			message: 'Hello {firstName}',
			specifyAttributes: 'json',
			attributesJson: '{ "firstName": "Ada" }',
		},
		method: 'POST',
		path: `/v1/msgapp/manage/addToMsgappThread/${WORKSPACE_ID}/${ASSISTANT_ID}`,
		body: { toNumber: TO, message: 'Hello {firstName}', attributes: { firstName: 'Ada' } },
		output: [{ msg: value(anyText), conversationId: value(anyText), sentAs: 'message' }],
		prepare: (simulator) => {
			simulator.customerReplies(TO);
		},
	},
	{
		resource: 'msgapp',
		operation: 'sendTemplate',
		parameters: {
			assistantId: ASSISTANT_ID,
			toNumber: TO,
			templateName: 'appointment_reminder',
			language: 'de',
			attributes: { values: [{ name: 'firstName', value: 'Ada' }] },
		},
		method: 'POST',
		path: `/v1/msgapp/manage/sendTemplateMessage/${WORKSPACE_ID}/${ASSISTANT_ID}`,
		body: {
			toNumber: TO,
			templateName: 'appointment_reminder',
			language: 'de',
			parameters: { firstName: 'Ada' },
		},
		output: [sendResult],
	},
	{
		resource: 'knowledgeBase',
		operation: 'addParagraphs',
		parameters: {
			knowledgeBaseId: KNOWLEDGE_BASE_ID,
			paragraphSource: 'text',
			text: 'One.\n\nTwo,\nstill two.\r\n \r\nThree.\n\n\n',
		},
		method: 'POST',
		path: `/v1/knowledgeBase/addParagraph/${WORKSPACE_ID}/${KNOWLEDGE_BASE_ID}`,
		body: {
			paragraphs: [
				{ value: { data: 'One.' } },
				{ value: { data: 'Two,\nstill two.' } },
				{ value: { data: 'Three.' } },
			],
		},
		output: [{ msg: value(anyText), added: 3 }],
	},
	{
		resource: 'knowledgeBase',
		operation: 'get',
		parameters: { knowledgeBaseId: KNOWLEDGE_BASE_ID },
		method: 'GET',
		path: `/v1/knowledgeBase/getKnowledgeBase/${WORKSPACE_ID}/${KNOWLEDGE_BASE_ID}`,
		output: Object.entries(KNOWLEDGE_BASE.paragraphs).map(([key, text]) => ({
			key,
			text,
			knowledgeBase: KNOWLEDGE_BASE.label,
		})),
	},
	{
		resource: 'knowledgeBase',
		operation: 'deleteParagraph',
		parameters: {
			knowledgeBaseId: KNOWLEDGE_BASE_ID,
			paragraphKey: { __rl: true, mode: 'list', value: 'parking' },
		},
		method: 'DELETE',
		path: `/v1/knowledgeBase/deleteParagraph/${WORKSPACE_ID}/${KNOWLEDGE_BASE_ID}/parking`,
		output: [{ deleted: true, paragraphKey: 'parking', msg: value(anyText) }],
	},
	{
		resource: 'assistant',
		operation: 'getPrompt',
		parameters: { assistantId: ASSISTANT_ID },
		method: 'GET',
		path: `/v1/assistants/getPrompt/${WORKSPACE_ID}/${ASSISTANT_ID}`,
		output: [{ prompt: PROMPT }],
	},
	{
		resource: 'assistant',
		operation: 'setLock',
		parameters: { assistantId: ASSISTANT_ID, locked: true },
		method: 'PUT',
		path: `/v1/assistants/updateAssistantVisibility/${WORKSPACE_ID}/${ASSISTANT_ID}`,
		body: { locked: true },
		output: [{ id: ASSISTANT_ID, locked: true, success: true }],
	},
	{
		resource: 'assistant',
		operation: 'updatePrompt',
		parameters: { assistantId: ASSISTANT_ID, prompt: 'Be brief.' },
		method: 'POST',
		path: `/v1/assistants/updatePrompt/${WORKSPACE_ID}/${ASSISTANT_ID}`,
		body: { prompt: 'Be brief.' },
		output: [{ prompt: 'Be brief.' }],
	},
];
