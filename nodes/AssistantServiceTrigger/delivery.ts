import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/values';

/** How deep the values of an event may be nested; n8n could not save what is much deeper. */
const MAX_DEPTH = 200;

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

/** Level by level, so that the depth of the value is not the depth of the stack. */
function isDeeperThan(value: object, depth: number): boolean {
	let level: unknown[] = [value];
	for (let current = 0; current < depth && level.length > 0; current++) {
		level = level.flatMap((part) => (isContainer(part) ? Object.values(part) : []));
	}
	return level.some(isContainer);
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;
