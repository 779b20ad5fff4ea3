import { z } from 'zod';
import { endpoint, ok } from '../endpoint';
import { Refusal } from '../errors';
import { attributes8, noBody, text, uuid } from '../schemas';

/**
 * S 4.1 and S 4.2.
 * Own choice: S 4.2 contradicts itself about conversationId and userIdentifier; either is enough, both are accepted.
 */
const chatBody = z
	.object({
		workspaceId: uuid,
		assistantId: uuid,
		userIdentifier: text.optional(),
		conversationId: text.optional(),
		question: text,
		attributes: attributes8,
	})
	.strict()
	.refine((body) => body.userIdentifier !== undefined || body.conversationId !== undefined, {
		path: ['userIdentifier'],
		message: 'Required',
	})
	.refine((body) => body.conversationId === undefined || body.attributes === undefined, {
		path: ['attributes'],
		message: 'only when a conversation is started',
	});

/** Own choice: a request is a continuation (S 4.2) when it names a conversation. */
const isContinuation = (body: unknown): boolean =>
	typeof body === 'object' && body !== null && 'conversationId' in body;

/** S 4.1, S 4.2. Own choice: the error field is `message`. */
export const chat = endpoint({
	method: 'POST',
	path: '/v1/chatbot',
	body: chatBody,
	errors: { field: 'message', codeAndMoreInfo: isContinuation },
	handle({ workspace, body }) {
		workspace.assistant(body.workspaceId, body.assistantId);
		const { conversations } = workspace;
		// Own choice: conversationId decides when both are given; an unknown one is a bad request.
		const conversation =
			body.conversationId === undefined
				? conversations.open('chat', body.userIdentifier ?? '')
				: conversations.find(body.conversationId);
		if (!conversation) throw new Refusal('invalidInput', 'conversationId: unknown');
		const response = `You asked: ${body.question}`;
		conversations.add(conversation, 'user', body.question, body.attributes);
		conversations.add(conversation, 'assistant', response);
		return ok({ response, conversationId: conversation._id });
	},
});

/** S 4.3. Own choice: the error field is `message`. */
export const getConversation = endpoint({
	method: 'GET',
	path: '/v1/conversation/workspace/{workspaceId}/{userIdentifier}',
	body: noBody,
	errors: {
		field: 'message',
		codeAndMoreInfo: () => true,
		texts: { notFound: 'Conversation not found', serverError: 'Internal server error' },
	},
	handle({ workspace, params }) {
		workspace.checkAccess(params.workspaceId);
		const conversation = workspace.conversations.ofUser(params.userIdentifier);
		if (!conversation) throw new Refusal('notFound');
		return ok({ ...conversation });
	},
});
