import type { IDataObject } from 'n8n-workflow';

import { freeAttributeFields } from '../../shared/declaration/attributes';
import { menuField, shownFor, type Field } from '../../shared/declaration/field';
import { defineOperation, endpoint, type Resource } from '../../shared/declaration/operation';
import { at, listAt, pick } from '../answerParts';
import { marker } from '../../shared/answer/answerRules';
import { isObject, listFirst, shorten, toPlainText } from '../../shared/values';
import { assistantId, language, message, NUMBER_FORMAT, templateName, toNumber } from './fields';
import { messaging } from './toPerson';

/** What holds for both template messages, whose attributes the service calls `sentAs`. */
const sendingTemplate = (sentAs: 'attributes' | 'parameters') => ({
	...messaging,
	fields: [assistantId, toNumber, templateName, language, ...freeAttributeFields(sentAs)],
	successMarkers: { msg: marker.filledText, data: marker.filledObject },
});

const startConversation = defineOperation({
	name: 'Start Conversation',
	value: 'startConversation',
	action: 'Start a msgapp conversation',
	description:
		'Start a conversation with a template message; the assistant then answers what comes back',
	specification: '4.8',
	request: endpoint('POST', '/v1/msgapp/manage/startMsgappThread/{workspaceId}/{assistantId}'),
	toolDescription: `Starts a msgapp conversation: sends a real template message to a person, and an AI assistant answers what comes back. Each use is another message. Takes the name and the language code of an approved template. ${NUMBER_FORMAT}`,
	...sendingTemplate('attributes'),
	statusKinds: { 409: 'noSenderNumber' },
	simplify: (answer) => ({
		...pick('msg')(answer),
		conversationId: at(answer, 'data', 'conversationId'),
		...sendResult(answer),
	}),
});

const sendTemplate = defineOperation({
	name: 'Send Template',
	value: 'sendTemplate',
	action: 'Send a msgapp template message',
	description: 'Send a template message, which is allowed at any time',
	specification: '4.10',
	request: endpoint('POST', '/v1/msgapp/manage/sendTemplateMessage/{workspaceId}/{assistantId}'),
	toolDescription: `Sends a real msgapp template message to a person. It is allowed at any time. Each use is another message. Takes the name and the language code of an approved template. ${NUMBER_FORMAT}`,
	...sendingTemplate('parameters'),
	simplify: (answer) => ({ ...pick('msg')(answer), ...sendResult(answer) }),
});

/** Takes the parts of a send result that a workflow needs (S 2.8). */
function sendResult(answer: IDataObject): IDataObject {
	const [sentMessage = {}] = listAt(answer, 'data', 'messages');
	const [contact = {}] = listAt(answer, 'data', 'contacts');
	return {
		messageId: at(sentMessage, 'id'),
		messageStatus: at(sentMessage, 'message_status'),
		recipient: at(contact, 'wa_id'),
		phoneNumberId: at(answer, 'data', 'phoneNumberId'),
	};
}

const whenWindowClosed = menuField({
	displayName: 'When Window Is Closed',
	name: 'whenWindowClosed',
	options: [
		{ name: 'Fail', value: 'fail', description: 'Send nothing: the item fails' },
		{
			name: 'Send Template',
			value: 'sendTemplate',
			description: 'Send a template message instead, with the same attributes',
		},
	],
	default: 'fail',
	description:
		'What to do if the customer has not written within the last 24 hours: then only template messages are allowed',
});

/** Only the fallback sends it. */
const ofFallback = (field: Field): Field =>
	shownFor(whenWindowClosed, ['sendTemplate'], { ...field, sentAs: undefined });

const messageWithNames: Field = {
	...message,
	property: {
		...message.property,
		placeholder: 'e.g. Hello {firstName}, your order is ready.',
		description:
			'The text that the recipient gets. A name in curly braces is replaced by the attribute of that name.',
	},
};

/** A name in curly braces (S 4.9); braces around anything else, such as JSON, are plain text. */
const PLACEHOLDER = /\{([\p{L}_][\p{L}\p{N}_. -]*)\}/gu;

/**
 * Finds the placeholders of a message that no attribute fills (S 4.9). The recipient would read
 * them as they stand, so the message is not sent.
 */
export function missingPlaceholders(text: unknown, attributes: unknown): string[] {
	const filledNames = new Set(isObject(attributes) ? Object.keys(attributes) : []);
	const names = Array.from(toPlainText(text).matchAll(PLACEHOLDER), ([, name]) => name ?? '');
	return [...new Set(names)].filter((name) => !filledNames.has(name));
}

const continueConversation = defineOperation({
	name: 'Continue Conversation',
	value: 'continueConversation',
	action: 'Continue a msgapp conversation',
	description: "Send a message of your own within 24 hours of the customer's last message",
	specification: '4.9',
	request: endpoint('POST', '/v1/msgapp/manage/addToMsgappThread/{workspaceId}/{assistantId}'),
	toolDescription: `Sends a real msgapp message with a text of your own to a customer. It is refused if the customer has not written within the last 24 hours: then only a template message is allowed. Each use is another message. ${NUMBER_FORMAT}`,
	fields: [
		assistantId,
		toNumber,
		messageWithNames,
		...freeAttributeFields('attributes'),
		whenWindowClosed,
		ofFallback(templateName),
		ofFallback(language),
	],
	check: {
		field: messageWithNames,
		problem: ({ message: text, attributes }) => {
			const missing = missingPlaceholders(text, attributes).map((name) => shorten(`{${name}}`));
			return missing.length > 0 ? `expected an attribute for ${listFirst(missing)}` : undefined;
		},
	},
	...messaging,
	successMarkers: { msg: marker.filledText, conversationId: marker.filledText },
	simplify: (answer, { via }) => ({
		...pick('msg', 'conversationId')(answer),
		sentAs: via === 'fallback' ? 'template' : 'message',
	}),
	fallback: {
		field: 'whenWindowClosed',
		value: 'sendTemplate',
		kinds: ['windowClosed', 'windowNotOpen'],
		operation: sendTemplate,
	},
});

/** Conversations in the messaging app (S 4.8 to 4.10). */
export const msgapp: Resource = {
	name: 'Msgapp',
	value: 'msgapp',
	operations: [continueConversation, sendTemplate, startConversation],
	defaultOperation: continueConversation,
};
