import type { IDataObject } from 'n8n-workflow';

import { isContainer, isObject, type Container } from '../shared/values';

/** How deep the values of an event may be nested; n8n could not save what is much deeper. */
export const MAX_DEPTH = 200;

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

/**
 * No deeper into the stack than the depth that is asked for. An event can be large, so nothing is copied, and there is
 * no call for what contains nothing.
 */
function isDeeperThan(container: Container, depth: number): boolean {
	if (depth === 0) return true;
	if (Array.isArray(container)) {
		for (const part of container) {
			if (isContainer(part) && isDeeperThan(part, depth - 1)) return true;
		}
		return false;
	}
	for (const name in container) {
		const part = container[name];
		if (isContainer(part) && isDeeperThan(part, depth - 1)) return true;
	}
	return false;
}
