import {
	sleep,
	type IDataObject,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { z } from 'zod';

import { toPlainText } from '../shared/values';
import { authenticate } from './authentication';
import { eventKeyOf, readCallEvent } from './callEvent';
import { readJsonObject } from './delivery';
import { isListed, parseAllowlist } from './ipAllowlist';
import { RepeatMemory } from './repeats';

/** What n8n and express add to the request. */
const webhookRequest = z.object({
	ip: z.string().optional(),
	contentType: z.string().optional(),
	rawBody: z.instanceof(Buffer).optional(),
});

/** The name of the trigger's entry in n8n's static data. */
const STORED_REPEATS = 'repeats';

/** When n8n has given up a delivery for good, in milliseconds. */
const STORED_WITHIN = 60_000;

const repeatMemory = new RepeatMemory();

/** Checks a delivery, answers it, and starts an execution if it is good (S 6). */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { ip, contentType, rawBody } = webhookRequest.parse(context.getRequestObject());
	if (!isAllowedAddress(context, ip)) {
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
	const body = readJsonObject(contentType, context.getBodyData(), rawBody);
	if (body === undefined) {
		return answer(context, 400, { error: 'Expected the properties of a call as a JSON object.' });
	}
	if (isRepeat(context, body)) return answer(context, 200, { repeat: true });
	const isRaw = context.getNodeParameter('options.output', 'simplified') === 'raw';
	const json: IDataObject = isRaw ? body : readCallEvent(body, new Date());
	return { workflowData: [[{ json }]], webhookResponse: { received: true } };
}

/** A list that cannot be read lets nobody in; the workflow could not be activated with it. */
function isAllowedAddress(context: IWebhookFunctions, ip: string | undefined): boolean {
	const list = toPlainText(context.getNodeParameter('options.ipAllowlist', ''));
	if (list === '') return true;
	try {
		return isListed(parseAllowlist(list), ip);
	} catch {
		return false;
	}
}

/** A test execution is not a delivery: the same event may be tried again and again. */
function isRepeat(context: IWebhookFunctions, body: IDataObject): boolean {
	const isWanted = context.getNodeParameter('options.ignoreRepeats', true) === true;
	if (!isWanted || context.getMode() === 'manual') return false;
	const store = context.getWorkflowStaticData('node');
	const scope = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	const eventKey = eventKeyOf(body);
	const result = repeatMemory.register(scope, eventKey, store[STORED_REPEATS], Date.now());
	if (result.isRepeat) return true;
	void storeUntilAnswered(context, store, scope);
	// n8n answers with an error if it cannot start the execution; the sender then has to try again.
	const response = context.getResponseObject();
	response.once('finish', () => {
		if (response.statusCode >= 400) repeatMemory.forget(scope, eventKey);
	});
	return false;
}

/**
 * n8n 2.41 forgets that static data was changed when it starts the execution, and saves it only after that,
 * right before it answers. What is stored last holds all that this process knows by then.
 */
async function storeUntilAnswered(
	context: IWebhookFunctions,
	store: IDataObject,
	scope: string,
): Promise<void> {
	const response = context.getResponseObject();
	const until = Date.now() + STORED_WITHIN;
	while (!response.headersSent && Date.now() < until) {
		store[STORED_REPEATS] = repeatMemory.latest(scope);
		await sleep(1);
	}
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
