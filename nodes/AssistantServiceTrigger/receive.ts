import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { authenticate } from './authenticate';
import { readBody } from './body';
import { callIdOf, callIdPropertyOf } from './callId';
import { endContactOf } from './contact';
import { eventKeyOf, isRecognisable, readCallEvent } from './event';
import { isListening, logRefusal } from './refusalLog';
import { REFUSALS, type Refused } from './deliveryRefusals';
import { recognise } from './repeats';

/**
 * Handles a delivery (S 6): authenticates its sender, reads its body, recognises repeats, and starts an execution for a
 * new event, with the contact whose call it was if the contact book knows. A delivery that is refused gets the answer of
 * its row in `REFUSALS` and starts none.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const sender = await authenticate(context);
	if ('refused' in sender) return refuse(context, sender);

	const delivered = await readBody(context);
	if ('refused' in delivered) return refuse(context, delivered);
	const { body, rawBody } = delivered;

	const callIdProperty = callIdPropertyOf(context);
	const eventKey = eventKeyOf(body, callIdProperty, rawBody);
	const canRepeat = isRecognisable(body, callIdProperty);
	const recognised = await recognise(context, canRepeat ? eventKey : undefined);
	if ('refused' in recognised) return refuse(context, recognised);
	if (recognised.isRepeat) return answer(context, 200, { repeat: true });

	const isRaw = context.getNodeParameter('options.output', 'simplified') === 'raw';
	const receivedAt = new Date();
	const { credential } = sender;
	const callId = callIdOf(body, callIdProperty);
	const contact =
		credential && (await endContactOf(context, credential, callId, body.summary, receivedAt));
	const ofContact = contact !== undefined && { contact };
	const json = isRaw
		? body
		: { ...readCallEvent(body, callIdProperty, eventKey, receivedAt), ...ofContact };
	return {
		workflowData: [[{ json }]],
		// n8n reads this property after it has started the execution, then saves the static data, then answers.
		// n8n 2.41 loses changes of the static data that are made earlier.
		get webhookResponse() {
			recognised.remember();
			return { received: true };
		},
	};
}

/** While n8n listens in the editor, the event is a trial of whoever builds the workflow: the answer says what to do. */
function refuse(context: IWebhookFunctions, refused: Refused): IWebhookResponseData {
	const { httpStatus, message, hint } = REFUSALS[refused.refused];
	const body = isListening(context) ? { error: message, hint } : { error: message };
	const answered = answer(context, httpStatus, body);
	logRefusal(context, refused);
	return answered;
}

/** Answers the sender and starts no execution. */
function answer(
	context: IWebhookFunctions,
	status: number,
	body: IDataObject,
): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}
