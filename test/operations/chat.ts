import { ASSISTANT_ID, CONVERSATIONS, KNOWN_USER, WORKSPACE_ID } from '../simulator/seed';
import { NEW_ID, type OperationEntries } from './row';

const assistant = { assistantId: ASSISTANT_ID, question: 'When are you open?' };
const response = 'You asked: When are you open?';

const conversationOf = (user: keyof typeof CONVERSATIONS) => {
	const { _id, messages, attributes } = CONVERSATIONS[user];
	return { _id, workspace: WORKSPACE_ID, messages, attributes };
};
const known = conversationOf(KNOWN_USER);
const unusual = conversationOf('Zoë/1 %?');
const user = `/v1/conversation/workspace/${WORKSPACE_ID}`;

export const chat: OperationEntries = {
	start: {
		section: '4.1',
		isSentOnce: true,
		parameters: {
			...assistant,
			userIdentifier: 'customer-4712',
			customFields: { customField1: 'Ada' },
		},
		method: 'POST',
		path: '/v1/chatbot',
		body: {
			workspaceId: WORKSPACE_ID,
			...assistant,
			userIdentifier: 'customer-4712',
			attributes: { customField1: 'Ada' },
		},
		answer: { response, conversationId: NEW_ID },
		output: [{ response, conversationId: NEW_ID }],
		variants: {
			'white space, a number and a blank attribute': {
				parameters: {
					userIdentifier: ' customer/47 12? ',
					customFields: { customField1: 'Ada', customField8: 8, customField2: '' },
				},
				body: {
					userIdentifier: 'customer/47 12?',
					attributes: { customField1: 'Ada', customField8: '8' },
				},
			},
		},
	},
	continue: {
		section: '4.2',
		isSentOnce: true,
		parameters: { ...assistant, userIdentifier: KNOWN_USER },
		method: 'POST',
		path: '/v1/chatbot',
		body: { workspaceId: WORKSPACE_ID, ...assistant, userIdentifier: KNOWN_USER },
		answer: { response, conversationId: known._id },
		output: [{ response, conversationId: known._id }],
		variants: {
			'by conversation ID': {
				parameters: { continueBy: 'conversationId', conversationId: known._id },
				body: { conversationId: known._id, userIdentifier: undefined },
			},
			'by conversation ID, and the user identifier beside it': {
				parameters: {
					continueBy: 'conversationId',
					conversationId: known._id,
					options: { userIdentifier: ' ada ' },
				},
				body: { conversationId: known._id, userIdentifier: 'ada' },
			},
		},
	},
	getConversation: {
		section: '4.3',
		parameters: { userIdentifier: KNOWN_USER },
		method: 'GET',
		path: `${user}/${KNOWN_USER}`,
		answer: known,
		output: [known],
		variants: {
			'of an unusual user': {
				parameters: { userIdentifier: 'Zoë/1 %?' },
				path: `${user}/Zo%C3%AB%2F1%20%25%3F`,
				answer: unusual,
				output: [unusual],
			},
		},
	},
};
