import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isContainer, isObject } from '../shared/values';
import { callIdOf, isPlaceholder, isSpoken, UNDECODABLE } from './callId';

/** The end of a call as the trigger outputs it (S 6). */
export interface CallEvent extends IDataObject {
	summary: IDataObject[string];
	transcript: IDataObject[string];
	callStartTime: IDataObject[string];
	callId: string | null;
	/** Every property that the specification does not name, and those of an unexpected type. */
	variables: IDataObject;
	/** The same for each delivery of the same event. */
	eventKey: string;
	/** ISO 8601. */
	receivedAt: string;
}

/** The largest body whose properties are sorted, in bytes: sorting takes longer than everything else the trigger does. */
const MAX_SORTED = 1_000_000;

const isText = (value: unknown): boolean => typeof value === 'string';

/** The properties that the specification names. It does not show their types, so the checks reject only nonsense. */
const KNOWN: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
	['summary', isText],
	['transcript', (value) => isText(value) || isContainer(value)],
	['callStartTime', (value) => isText(value) || typeof value === 'number'],
]);

/**
 * Shapes the body of an end-of-call event. Never throws.
 *
 * @param callIdProperty the property that carries the call's ID; null if none does
 * @param eventKey what `eventKeyOf` gave
 */
export function readCallEvent(
	body: IDataObject,
	callIdProperty: string | null,
	eventKey: string,
	receivedAt: Date,
): CallEvent {
	const callId = callIdOf(body, callIdProperty);
	const isExpected = (name: string): boolean => {
		const value = body[name];
		if (name === callIdProperty) return callId !== null || isPlaceholder(value);
		return KNOWN.has(name) && (value === null || KNOWN.get(name)?.(value) === true);
	};
	const known = (name: string): IDataObject[string] =>
		isExpected(name) ? (body[name] ?? null) : null;
	return {
		summary: known('summary'),
		transcript: known('transcript'),
		callStartTime: known('callStartTime'),
		callId,
		variables: Object.fromEntries(Object.entries(body).filter(([name]) => !isExpected(name))),
		eventKey,
		receivedAt: receivedAt.toISOString(),
	};
}

/** True if a repeat of the event can be recognised: it has a call ID, or its transcript has text. */
export const isRecognisable = (body: IDataObject, callIdProperty: string | null): boolean =>
	callIdOf(body, callIdProperty) !== null || isSpoken(body.transcript);

/**
 * The call's ID if there is one, else a digest of the event.
 *
 * The digest ignores the order of properties, except in bodies above 1 MB and in those that `JSON.parse` does not read
 * exactly: there it is of the bytes as they were sent.
 *
 * @param rawBody the body as it was sent
 */
export function eventKeyOf(
	body: IDataObject,
	callIdProperty: string | null,
	rawBody?: Buffer,
): string {
	const callId = callIdOf(body, callIdProperty);
	if (callId !== null) return callId;
	const isAsSent = rawBody !== undefined && (rawBody.length > MAX_SORTED || !isExact(body));
	return createHash('sha256')
		.update(isAsSent ? rawBody : canonicalJson(body))
		.digest('hex');
}

/** False if `JSON.parse` may have rounded a number, or if a text was not valid UTF-8. */
function isExact(value: unknown): boolean {
	if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
	if (typeof value === 'string') return !value.includes(UNDECODABLE);
	return !isContainer(value) || Object.values(value).every(isExact);
}

const canonicalJson = (value: IDataObject): string => JSON.stringify(sorted(value));

/** Copied whole before it is written: a replacer of `JSON.stringify` takes more than twice as long. */
function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isObject(value)) return value;
	// Without a prototype every name is a plain property.
	const copy: Record<string, unknown> = { __proto__: null };
	for (const name of Object.keys(value).sort()) copy[name] = sorted(value[name]);
	return copy;
}
