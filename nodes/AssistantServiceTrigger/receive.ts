import {
	NodeOperationError,
	type IDataObject,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { authenticate } from './authenticate';
import { readBody } from './body';
import { endContact, contactOutput } from './contact';
import { Refused, REFUSALS } from './deliveryRefusals';
import { callIdOf, eventKeyOf, isSpoken, readCallEvent, readCallIdProperty } from './event';
import { readOptOut, readResult } from './namedProperties';
import { recognise } from './repeats';

/**
 * Handles a delivery (S 6): authenticates its sender, reads its body, recognises repeats, and
 * starts an execution for a new event, with the contact whose call it was if the contact book
 * knows. A delivery that is refused gets the answer of its row in `REFUSALS` and starts none.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await receive(context);
	} catch (error) {
		const problem = error instanceof Error ? error : String(error);
		if (!(problem instanceof Refused)) throw new NodeOperationError(context.getNode(), problem);
		const { httpStatus, message, hint } = REFUSALS[problem.reason];
		return answer(context, httpStatus, { error: message, hint });
	}
}

/** @throws Refused */
async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const credential = await authenticate(context);
	const { body, rawBody } = await readBody(context);
	const callIdProperty = readCallIdProperty(context);
	const callId = callIdOf(body, callIdProperty);
	const eventKey = eventKeyOf(callId, body, rawBody);
	const canRepeat = callId !== null || isSpoken(body.transcript);
	const repeatOrRemember = await recognise(context, canRepeat ? eventKey : undefined);
	const isRepeat = repeatOrRemember === 'repeat';
	const receivedAt = new Date();
	const event = readCallEvent(body, callIdProperty, eventKey, receivedAt);
	const optOutAnswer = readOptOut(context, { body, callId });
	const result = readResult(context, { body, callId }, receivedAt);
	const call = { ...event, ...result, saysOptOut: optOutAnswer === true, isRepeat };
	const { row, isOptedOut } = await endContact(context, credential ?? {}, call);
	if (isRepeat) return answer(context, 200, { repeat: true });
	const optedOut = optOutAnswer === true ? isOptedOut : optOutAnswer;
	const isRaw = context.getNodeParameter('options.output', 'simplified') === 'raw';
	const json = isRaw
		? body
		: {
				...event,
				...(row !== undefined && { contact: row && contactOutput(row) }),
				...(optedOut !== undefined && { optedOut }),
				...result,
			};
	return {
		workflowData: [[{ json }]],
		// n8n reads this property after it has started the execution, then saves the static data, then
		// answers. n8n 2.41 loses changes of the static data that are made earlier.
		get webhookResponse() {
			repeatOrRemember();
			return { received: true };
		},
	};
}

/** Answers the sender and starts no execution. */
function answer(context: IWebhookFunctions, status: number, body: IDataObject) {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}
