import type { IDataObject } from 'n8n-workflow';

import { isDeeperThan, isObject, MAX_DEPTH } from '../shared/values';

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
