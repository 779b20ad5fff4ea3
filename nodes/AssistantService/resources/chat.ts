import { customAttributeFields } from '../../shared/declaration/attributes';
import { menuField, optionalField, shownFor, textField } from '../../shared/declaration/field';
import { defineOperation, endpoint, type Resource } from '../../shared/declaration/operation';
import { pick } from '../answerParts';
import { marker } from '../../shared/answer/answerRules';
import { identifier, quotedText } from '../../shared/declaration/schemas';
import { assistantId, reading } from './fields';

const userIdentifier = textField({
	displayName: 'User Identifier',
	name: 'userIdentifier',
	placeholder: 'e.g. customer-4711',
	description:
		'Your own name for the user or customer, such as a customer number. The conversation is stored and found by it.',
	schema: identifier,
});

const conversationId = textField({
	displayName: 'Conversation ID',
	name: 'conversationId',
	placeholder: 'e.g. 665f1c2e9b1e8a0012ab34cd',
	description: 'The ID of the conversation, which Start Conversation outputs as conversationId',
	schema: identifier,
});

const question = textField({
	displayName: 'Question',
	name: 'question',
	placeholder: 'e.g. When are you open on Saturday?',
	description: 'What the user says to the assistant',
	typeOptions: { rows: 3 },
	schema: quotedText,
});

/** An assistant may think longer than others answer. In milliseconds. */
const TIMEOUT = 300_000;

const asking = {
	request: endpoint('POST', '/v1/chatbot'),
	repeatable: false,
	done: 'answered',
	timeout: TIMEOUT,
	successMarkers: { response: marker.anyText },
	simplify: pick('response', 'conversationId'),
} as const;

const start = defineOperation({
	name: 'Start Conversation',
	value: 'start',
	action: 'Start a chat conversation',
	description: 'Ask an assistant a question and get its answer, in a new conversation',
	specification: '4.1',
	...asking,
	toolDescription:
		'Starts a conversation with an AI assistant. Asks it a question, and returns its answer and the ID of the conversation.',
	fields: [assistantId, userIdentifier, question, ...customAttributeFields(8)],
	writesFor: ['userIdentifier'],
});

const continueBy = menuField({
	displayName: 'Find Conversation By',
	name: 'continueBy',
	options: [
		{
			name: 'Conversation ID',
			value: 'conversationId',
			description: 'Continue the conversation with this ID',
		},
		{
			name: 'User Identifier',
			value: 'userIdentifier',
			description: 'Continue from the history of this user',
		},
	],
	default: 'userIdentifier',
	description: 'How to find the conversation to continue',
});

const alsoUserIdentifier = optionalField({
	...userIdentifier,
	property: {
		...userIdentifier.property,
		description:
			"The user's identifier, sent beside the conversation ID. Needed only if the service asks for it.",
	},
});

const continueConversation = defineOperation({
	name: 'Continue Conversation',
	value: 'continue',
	action: 'Continue a chat conversation',
	description: 'Ask an assistant the next question of a conversation and get its answer',
	specification: '4.2',
	...asking,
	toolDescription:
		'Asks an AI assistant the next question of a conversation that exists, and returns its answer.',
	fields: [
		assistantId,
		continueBy,
		shownFor(continueBy, ['userIdentifier'], userIdentifier),
		shownFor(continueBy, ['conversationId'], conversationId),
		question,
	],
	options: [shownFor(continueBy, ['conversationId'], alsoUserIdentifier)],
	writesFor: ['conversationId', 'userIdentifier'],
});

export const getConversation = defineOperation({
	name: 'Get Conversation',
	value: 'getConversation',
	action: 'Get a chat conversation',
	description: 'Retrieve the complete conversation of a user',
	specification: '4.3',
	request: endpoint('GET', '/v1/conversation/workspace/{workspaceId}/{userIdentifier}'),
	toolDescription:
		'Reads the complete conversation of a user with an AI assistant. Changes nothing.',
	fields: [userIdentifier],
	...reading,
	timeout: TIMEOUT,
	successMarkers: { _id: marker.filledText, messages: marker.list },
	simplify: pick('_id', 'workspace', 'messages', 'attributes'),
});

/** Text chat with an assistant (S 4.1 to 4.3). */
export const chat: Resource = {
	name: 'Chat',
	value: 'chat',
	operations: [continueConversation, getConversation, start],
	defaultOperation: continueConversation,
};
