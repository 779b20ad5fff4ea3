import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { MAX_DEPTH } from '../shared/values';
import { authenticate, isAllowedAddress } from './authenticate';
import { readBody } from './body';
import { callIdPropertyOf } from './callId';
import { eventKeyOf, isRecognisable, readCallEvent } from './event';
import { recognise } from './repeats';

/** Checks a delivery, answers it, and starts an execution if it is good (S 6). */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	if (!isAllowedAddress(context, context.getRequestObject().ip)) {
		return answer(context, 403, { error: 'The address of the sender is not on the IP allowlist.' });
	}
	const sender = await authenticate(context);
	if (sender === 'unreadable') {
		return answer(context, 503, {
			error: 'The secret cannot be checked now. Send the event again.',
		});
	}
	if (sender === 'unknown') {
		return answer(context, 401, { error: 'The secret of the webhook is missing or wrong.' });
	}
	const { body, rawBody, isTooLarge } = await readBody(context);
	if (isTooLarge) {
		return answer(context, 400, {
			error: 'Expected a smaller event: n8n takes what its setting N8N_PAYLOAD_SIZE_MAX allows.',
		});
	}
	if (body === undefined) {
		return answer(context, 400, {
			error: `Expected the properties of a call as a JSON object, nested at most ${MAX_DEPTH} deep.`,
		});
	}
	const callIdProperty = callIdPropertyOf(context);
	const eventKey = eventKeyOf(body, callIdProperty, rawBody);
	const canRepeat = isRecognisable(body, callIdProperty);
	const { recognised, remember } = await recognise(context, canRepeat ? eventKey : undefined);
	if (recognised === 'repeat') return answer(context, 200, { repeat: true });
	if (recognised === 'inProgress') {
		return answer(context, 503, {
			error: 'An earlier delivery of the event is still being handled. Send the event again.',
		});
	}
	const isRaw = context.getNodeParameter('options.output', 'simplified') === 'raw';
	const json: IDataObject = isRaw
		? body
		: readCallEvent(body, callIdProperty, eventKey, new Date());
	return {
		workflowData: [[{ json }]],
		// n8n reads this property after it has started the execution, then saves the static data, then answers.
		// n8n 2.41 loses changes of the static data that are made earlier.
		get webhookResponse() {
			remember?.();
			return { received: true };
		},
	};
}

/** Answers by itself and starts no execution. */
function answer(
	context: IWebhookFunctions,
	status: number,
	body: IDataObject,
): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}
