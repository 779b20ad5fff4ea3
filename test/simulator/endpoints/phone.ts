import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { endpoint, ok } from '../endpoint';
import { attributes8, phoneNumber, text, uuid } from '../schemas';

/** S 4.4. */
export const placeCall = endpoint({
	method: 'POST',
	path: '/v1/voice/placeoutboundcall/{workspaceId}/{assistantId}',
	body: z
		.object({
			fromNumber: phoneNumber,
			toNumber: phoneNumber,
			priority: z.union([z.literal(0), z.literal(1), z.literal(2)]).default(1),
			attributes: attributes8,
		})
		.strict(),
	errors: { field: 'msg', texts: { invalidInput: 'Invalid input' } },
	handle({ workspace, params, body }) {
		workspace.checkSender(params.workspaceId, params.assistantId, body.fromNumber);
		const { id: callId } = workspace.calls.place(body);
		return {
			status: 201,
			body: { msg: `The call is placed to ${body.toNumber}`, status: 'placed', callId },
		};
	},
});

/** S 4.5. Own choice: the error field is `msg`, as in the success answer. */
export const startSms = endpoint({
	method: 'POST',
	path: '/v1/sms/startSMSThread/{assistantId}',
	body: z
		.object({
			workspaceId: uuid,
			toNumber: phoneNumber,
			fromNumber: phoneNumber,
			message: text,
			attributes: attributes8,
		})
		.strict(),
	errors: { field: 'msg' },
	handle({ workspace, params, body }) {
		workspace.checkSender(body.workspaceId, params.assistantId, body.fromNumber);
		workspace.conversations.sendTo('sms', body.toNumber, body.message, body.attributes);
		// Own choice: the wording around the message id and the id's form.
		return ok({ msg: `SMS sent to ${body.toNumber}, message id: ${randomUUID()}` });
	},
});
