import axios, { type AxiosResponse } from 'axios';
import type { EndpointName, Simulator } from './contract';
import { ASSISTANT_ID, FROM_NUMBER, KNOWLEDGE_BASE_ID, WORKSPACE_ID } from './seed';

export interface ClientRequest {
	method: string;
	path: string;
	body?: unknown;
	headers?: Record<string, string | undefined>;
	timeout?: number;
}

export const TO_NUMBER = '+4915112345678';

const inAssistant = `${WORKSPACE_ID}/${ASSISTANT_ID}`;
const inKnowledgeBase = `${WORKSPACE_ID}/${KNOWLEDGE_BASE_ID}`;
const template = { toNumber: TO_NUMBER, templateName: 'reopen_conversation', language: 'en' };

/** One request of every endpoint that the seeded service accepts, continueMsgapp once the customer wrote. */
export const GOOD_REQUESTS = {
	chat: {
		method: 'POST',
		path: '/v1/chatbot',
		body: {
			workspaceId: WORKSPACE_ID,
			assistantId: ASSISTANT_ID,
			userIdentifier: 'known-user',
			question: 'When are you open?',
		},
	},
	getConversation: {
		method: 'GET',
		path: `/v1/conversation/workspace/${WORKSPACE_ID}/known-user`,
	},
	placeCall: {
		method: 'POST',
		path: `/v1/voice/placeoutboundcall/${inAssistant}`,
		body: { fromNumber: FROM_NUMBER, toNumber: TO_NUMBER },
	},
	startSms: {
		method: 'POST',
		path: `/v1/sms/startSMSThread/${ASSISTANT_ID}`,
		body: {
			workspaceId: WORKSPACE_ID,
			toNumber: TO_NUMBER,
			fromNumber: FROM_NUMBER,
			message: 'Hello',
		},
	},
	createCampaign: {
		method: 'POST',
		path: `/v1/campaigns/createCampaign/${WORKSPACE_ID}`,
		body: {
			campaignType: 'call',
			assistantId: ASSISTANT_ID,
			fromNumber: FROM_NUMBER,
			toNumber: TO_NUMBER,
			triggerType: 'triggerImmediately',
		},
	},
	createBulkCampaign: {
		method: 'POST',
		path: `/v1/bulkCampaigns/createBulkCampaign/${WORKSPACE_ID}`,
		body: {
			name: 'Recall',
			assistantId: ASSISTANT_ID,
			fromNumber: FROM_NUMBER,
			sheetURL: 'https://sheets.example/contacts',
			campaignType: 'call',
			triggerType: 'triggerBasedOnCampaign',
		},
	},
	startMsgapp: {
		method: 'POST',
		path: `/v1/msgapp/manage/startMsgappThread/${inAssistant}`,
		body: template,
	},
	continueMsgapp: {
		method: 'POST',
		path: `/v1/msgapp/manage/addToMsgappThread/${inAssistant}`,
		body: { toNumber: TO_NUMBER, message: 'Hello' },
	},
	sendMsgappTemplate: {
		method: 'POST',
		path: `/v1/msgapp/manage/sendTemplateMessage/${inAssistant}`,
		body: template,
	},
	addParagraphs: {
		method: 'POST',
		path: `/v1/knowledgeBase/addParagraph/${inKnowledgeBase}`,
		body: { paragraphs: [{ value: { data: 'Closed on holidays.' } }] },
	},
	getKnowledgeBase: {
		method: 'GET',
		path: `/v1/knowledgeBase/getKnowledgeBase/${inKnowledgeBase}`,
	},
	deleteParagraph: {
		method: 'DELETE',
		path: `/v1/knowledgeBase/deleteParagraph/${inKnowledgeBase}/parking`,
	},
	setLock: {
		method: 'PUT',
		path: `/v1/assistants/updateAssistantVisibility/${inAssistant}`,
		body: { locked: true },
	},
	updatePrompt: {
		method: 'POST',
		path: `/v1/assistants/updatePrompt/${inAssistant}`,
		body: { prompt: 'Be brief.' },
	},
	getPrompt: { method: 'GET', path: `/v1/assistants/getPrompt/${inAssistant}` },
} as const satisfies Record<EndpointName, ClientRequest>;

export const good = (name: EndpointName): ClientRequest => GOOD_REQUESTS[name];

/** A good request with some body fields changed; undefined leaves a field out. */
export function changed(name: EndpointName, fields: Record<string, unknown>): ClientRequest {
	const request = good(name);
	return { ...request, body: { ...(request.body ?? {}), ...fields } };
}

/** A request with a part of its path exchanged. */
export const elsewhere = (request: ClientRequest, from: string, to: string): ClientRequest => ({
	...request,
	path: request.path.replace(from, to),
});

type Send = (request: ClientRequest) => Promise<AxiosResponse<unknown>>;

/** An independent client: every status resolves, no redirect is followed, and the good key is sent by default. */
export function clientOf({ baseUrl, apiKey }: Simulator): Send {
	return ({ method, path, body, headers, timeout }) =>
		axios.request<unknown>({
			url: baseUrl + path,
			method,
			data: body,
			timeout,
			headers: { 'x-api-key': apiKey, ...headers },
			maxRedirects: 0,
			proxy: false,
			validateStatus: () => true,
		});
}
