import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { isDeeperThan, isObject, MAX_DEPTH } from '../shared/values';
import { Refused } from './deliveryRefusals';

/** The properties that n8n adds to the request. */
const webhookRequestSchema = z.object({
	contentType: z.string().optional(),
	rawBody: z.instanceof(Buffer).optional(),
	readRawBody: z.function(z.tuple([]), z.promise(z.unknown())).optional(),
});

/**
 * Reads the body of a delivery. n8n has read well-known content types; this reads the others.
 *
 * @throws Refused also if it is larger than n8n allows
 */
export async function readBody(context: IWebhookFunctions) {
	const request = context.getRequestObject();
	const { contentType, readRawBody } = webhookRequestSchema.parse(request);
	await readRawBody?.().catch(() => undefined);
	const { rawBody } = webhookRequestSchema.parse(request);
	const body = readJsonObject(contentType, context.getBodyData(), rawBody);
	if (body === undefined) throw new Refused('bodyNotAnObject');
	return { body, rawBody };
}

/** Reads a delivery's body; `undefined` unless it is a JSON object n8n can use. Never throws. */
export function readJsonObject(
	contentType: string | undefined,
	parsedBody: unknown,
	rawBody: Buffer | undefined,
): IDataObject | undefined {
	const body = contentType === 'application/json' ? parsedBody : parseJson(rawBody);
	return isObject(body) && !isDeeperThan(body, MAX_DEPTH) ? body : undefined;
}

function parseJson(rawBody: Buffer | undefined): unknown {
	try {
		// It leaves out the mark that some software puts before UTF-8.
		return JSON.parse(new TextDecoder().decode(rawBody));
	} catch {
		return undefined;
	}
}
