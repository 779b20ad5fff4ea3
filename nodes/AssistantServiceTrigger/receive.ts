import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { z } from 'zod';

import { isObject, MAX_DEPTH } from '../shared/values';
import { authenticate } from './authenticate';
import { eventKeyOf, isRecognisable, readCallEvent } from './event';
import { readCallIdProperty } from './callId';
import { readJsonObject } from './body';
import { InProgress } from './inProgress';
import { isAllowed, readAllowlist } from './ipAllowlist';
import { RepeatMemory } from './repeatMemory';

/** What n8n and express add to the request. */
const webhookRequest = z.object({
	ip: z.string().optional(),
	contentType: z.string().optional(),
	rawBody: z.instanceof(Buffer).optional(),
	readRawBody: z.function(z.tuple([]), z.promise(z.unknown())).optional(),
});

/** The type of the error that raw-body, with which n8n reads, throws for a body above the limit. */
const TOO_LARGE = 'entity.too.large';

/** The name of the trigger's entry in n8n's static data. */
const STORED_REPEATS = 'repeats';

const repeatMemory = new RepeatMemory();
const inProgress = new InProgress();

/** Checks a delivery, answers it, and starts an execution if it is good (S 6). */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { ip } = webhookRequest.parse(context.getRequestObject());
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

interface Delivered {
	/** Nothing if it is no JSON object. */
	body: IDataObject | undefined;
	/** As it was sent. */
	rawBody: Buffer | undefined;
	isTooLarge: boolean;
}

/** n8n itself reads the bodies of well-known content types; the node reads the others. */
async function readBody(context: IWebhookFunctions): Promise<Delivered> {
	const request = context.getRequestObject();
	const { contentType, readRawBody } = webhookRequest.parse(request);
	const failure = await readRawBody?.().catch((error: unknown) => error);
	const { rawBody } = webhookRequest.parse(request);
	const body = readJsonObject(contentType, context.getBodyData(), rawBody);
	return { body, rawBody, isTooLarge: isObject(failure) && failure.type === TOO_LARGE };
}

/** A list that cannot be read lets nobody in; the workflow could not be activated with it. */
function isAllowedAddress(context: IWebhookFunctions, ip: string | undefined): boolean {
	try {
		return isAllowed(readAllowlist(context), ip);
	} catch {
		return false;
	}
}

/** With an option that cannot be used, events have no call ID: none is refused, and none is taken for another. */
function callIdPropertyOf(context: IWebhookFunctions): string | null {
	try {
		return readCallIdProperty(context);
	} catch {
		return null;
	}
}

/**
 * Whether the event is known; for a new one also the function that remembers it, once its execution has started.
 *
 * @param eventKey undefined for an event that is never a repeat
 */
async function recognise(
	context: IWebhookFunctions,
	eventKey: string | undefined,
): Promise<{ recognised: 'new' | 'repeat' | 'inProgress'; remember?: () => void }> {
	const isWanted = context.getNodeParameter('options.ignoreRepeats', true) === true;
	// A test execution is not a delivery: the same event may be tried again and again.
	if (!isWanted || eventKey === undefined || context.getMode() === 'manual')
		return { recognised: 'new' };
	const data = context.getWorkflowStaticData('node');
	const scope = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	const response = context.getResponseObject();
	// If n8n fails after the sender has closed the connection, Node.js emits no event: only this property shows it.
	const leave = await inProgress.enter(`${scope} ${eventKey}`, () => response.writableEnded);
	if (leave === undefined) return { recognised: 'inProgress' };
	if (repeatMemory.isKnown(scope, eventKey, data[STORED_REPEATS], Date.now())) {
		leave();
		return { recognised: 'repeat' };
	}
	return {
		recognised: 'new',
		remember: () => {
			data[STORED_REPEATS] = repeatMemory.remember(scope, eventKey, Date.now());
			leave();
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
