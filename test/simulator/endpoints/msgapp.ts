import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { endpoint, ok } from '../endpoint';
import type { ErrorStyle } from '../errors';
import { digitsOf } from '../recipient';
import { freeAttributes, phoneNumber, text } from '../schemas';
import { PHONE_NUMBER_ID } from '../seed';

/** Own choice: the error field is `msg`, as in the success answers. */
const errors: ErrorStyle = { field: 'msg', texts: { serverError: 'Internal server error' } };

/** S 2.8. Own choice: the values of wa_id, id, message_status and phoneNumberId. */
const sendResult = (toNumber: string) => ({
	contacts: [{ input: toNumber, wa_id: digitsOf(toNumber) }],
	messages: [{ id: `msgapp.${randomUUID()}`, message_status: 'accepted' }],
	phoneNumberId: PHONE_NUMBER_ID,
});

/** S 4.9. Own choice: a placeholder without an attribute stays as it is. */
function fillPlaceholders(message: string, attributes: Record<string, unknown> = {}): string {
	return message.replace(/\{([^{}]+)\}/g, (placeholder, key: string) =>
		Object.hasOwn(attributes, key) ? String(attributes[key]) : placeholder,
	);
}

const templateMessage = z.object({ toNumber: phoneNumber, templateName: text, language: text });

const request = { method: 'POST', errors } as const;

/** S 4.8. */
export const startMsgapp = endpoint({
	...request,
	path: '/v1/msgapp/manage/startMsgappThread/{workspaceId}/{assistantId}',
	body: templateMessage.extend({ attributes: freeAttributes }).strict(),
	handle({ workspace, params, body }) {
		workspace.assistant(params.workspaceId, params.assistantId);
		workspace.checkTemplate(body.templateName, body.language);
		const conversation = workspace.conversations.sendTo(
			'msgapp',
			body.toNumber,
			body.templateName,
			body.attributes,
		);
		return ok({
			msg: `Conversation started with ${body.toNumber}`,
			data: { ...sendResult(body.toNumber), conversationId: conversation._id },
		});
	},
});

/** S 4.9. */
export const continueMsgapp = endpoint({
	...request,
	path: '/v1/msgapp/manage/addToMsgappThread/{workspaceId}/{assistantId}',
	body: z.object({ toNumber: phoneNumber, message: text, attributes: freeAttributes }).strict(),
	handle({ workspace, params, body }) {
		workspace.assistant(params.workspaceId, params.assistantId);
		workspace.checkCustomerWindow(body.toNumber);
		const conversation = workspace.conversations.sendTo(
			'msgapp',
			body.toNumber,
			fillPlaceholders(body.message, body.attributes),
			body.attributes,
		);
		return ok({ msg: `Message sent to ${body.toNumber}`, conversationId: conversation._id });
	},
});

/** S 4.10. */
export const sendMsgappTemplate = endpoint({
	...request,
	path: '/v1/msgapp/manage/sendTemplateMessage/{workspaceId}/{assistantId}',
	body: templateMessage.extend({ parameters: freeAttributes }).strict(),
	handle({ workspace, params, body }) {
		workspace.assistant(params.workspaceId, params.assistantId);
		workspace.checkTemplate(body.templateName, body.language);
		workspace.conversations.sendTo('msgapp', body.toNumber, body.templateName, body.parameters);
		return ok({
			msg: `Template message sent to ${body.toNumber}`,
			data: { messaging_product: 'msgapp', ...sendResult(body.toNumber) },
		});
	},
});
