import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { isDeeperThan, isObject, MAX_DEPTH } from '../shared/values';

/** What n8n and express add to the request. */
const webhookRequest = z.object({
	contentType: z.string().optional(),
	rawBody: z.instanceof(Buffer).optional(),
	readRawBody: z.function(z.tuple([]), z.promise(z.unknown())).optional(),
});

/** The type of the error that raw-body, with which n8n reads, throws for a body above the limit. */
const TOO_LARGE = 'entity.too.large';

interface Delivered {
	/** Nothing if it is no JSON object. */
	body: IDataObject | undefined;
	/** As it was sent. */
	rawBody: Buffer | undefined;
	isTooLarge: boolean;
}

/** n8n itself reads the bodies of well-known content types; the node reads the others. */
export async function readBody(context: IWebhookFunctions): Promise<Delivered> {
	const request = context.getRequestObject();
	const { contentType, readRawBody } = webhookRequest.parse(request);
	const failure = await readRawBody?.().catch((error: unknown) => error);
	const { rawBody } = webhookRequest.parse(request);
	const body = readJsonObject(contentType, context.getBodyData(), rawBody);
	return { body, rawBody, isTooLarge: isObject(failure) && failure.type === TOO_LARGE };
}

/** The body of a delivery if it is a JSON object that n8n can work with, else `undefined`. Never throws. */
export function readJsonObject(
	contentType: string | undefined,
	parsedBody: unknown,
	rawBody: Buffer | undefined,
): IDataObject | undefined {
	const isParsed = contentType === 'application/json';
	const body = isParsed ? parsedBody : parseJson(rawBody);
	return isObject(body) && !isDeeperThan(body, MAX_DEPTH) ? body : undefined;
}

function parseJson(rawBody: Buffer | undefined): unknown {
	try {
		return JSON.parse(rawBody?.toString('utf8') ?? '');
	} catch {
		return undefined;
	}
}
