import {
	ASSISTANT_ID,
	CUSTOMER_NUMBER,
	PHONE_NUMBER_ID,
	TO_NUMBER,
	WORKSPACE_ID,
} from '../simulator/seed';
import { columnsOf, NEW_ID, type OperationEntries } from './row';

const inAssistant = `${WORKSPACE_ID}/${ASSISTANT_ID}`;
const template = {
	toNumber: TO_NUMBER,
	templateName: 'appointment_reminder',
	language: 'de',
};
const attributes = { values: [{ name: 'firstName', value: 'Ada' }] };
const asJson = { specifyAttributes: 'json', attributesJson: '{ "firstName": "Ada" }' };

const recipient = TO_NUMBER.replace('+', '');
const messageId = `msgapp.${NEW_ID}`;
const data = {
	contacts: [{ input: TO_NUMBER, wa_id: recipient }],
	messages: [{ id: messageId, message_status: 'accepted' }],
	phoneNumberId: PHONE_NUMBER_ID,
};
const result = {
	messageId,
	messageStatus: 'accepted',
	recipient,
	phoneNumberId: PHONE_NUMBER_ID,
};

const started = `Conversation started with ${TO_NUMBER}`;
const continued = { msg: `Message sent to ${CUSTOMER_NUMBER}`, conversationId: NEW_ID };
const sent = `Template message sent to ${TO_NUMBER}`;

export const msgapp: OperationEntries = {
	startConversation: {
		section: '4.8',
		isSentOnce: true,
		parameters: { assistantId: ASSISTANT_ID, ...template, attributes },
		method: 'POST',
		path: `/v1/msgapp/manage/startMsgappThread/${inAssistant}`,
		body: { ...template, attributes: { firstName: 'Ada' } },
		answer: { msg: started, data: { ...data, conversationId: NEW_ID } },
		output: [{ ...columnsOf('sent'), msg: started, conversationId: NEW_ID, ...result }],
	},
	continueConversation: {
		section: '4.9',
		isSentOnce: true,
		parameters: {
			assistantId: ASSISTANT_ID,
			toNumber: CUSTOMER_NUMBER,
			message: 'Hello {firstName}',
			attributes,
		},
		method: 'POST',
		path: `/v1/msgapp/manage/addToMsgappThread/${inAssistant}`,
		body: {
			toNumber: CUSTOMER_NUMBER,
			message: 'Hello {firstName}',
			attributes: { firstName: 'Ada' },
		},
		answer: continued,
		output: [{ ...columnsOf('sent', CUSTOMER_NUMBER), ...continued, sentAs: 'message' }],
		variants: {
			'with a template at hand, and attributes as JSON': {
				parameters: {
					...asJson,
					whenWindowClosed: 'sendTemplate',
					templateName: 'appointment_reminder',
					language: 'de',
				},
			},
		},
	},
	sendTemplate: {
		section: '4.10',
		isSentOnce: true,
		parameters: { assistantId: ASSISTANT_ID, ...template, attributes },
		method: 'POST',
		path: `/v1/msgapp/manage/sendTemplateMessage/${inAssistant}`,
		body: { ...template, parameters: { firstName: 'Ada' } },
		answer: { msg: sent, data: { messaging_product: 'msgapp', ...data } },
		output: [{ ...columnsOf('sent'), msg: sent, ...result }],
		variants: { 'attributes as JSON': { parameters: asJson } },
	},
};
