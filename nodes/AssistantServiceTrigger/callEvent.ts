import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isContainer, isObject, toPlainText } from '../shared/values';

/** The end of a call as the trigger puts it out (S 6). */
export interface CallEvent extends IDataObject {
	summary: IDataObject[string];
	transcript: IDataObject[string];
	callStartTime: IDataObject[string];
	callId: string | null;
	/** Every property that the specification does not name, and known ones of an unexpected type. */
	variables: IDataObject;
	/** The same for each delivery of the same event. */
	eventKey: string;
	/** ISO 8601. */
	receivedAt: string;
}

/** Properties are sorted up to so many bytes: it takes longer than all the rest that the trigger does. */
const MAX_SORTED = 1_000_000;

const isText = (value: unknown): boolean => typeof value === 'string';

const isTextOrNumber = (value: unknown): boolean => isText(value) || typeof value === 'number';

/** Beyond 2^53 two calls could become one by rounding. */
const isId = (value: unknown): boolean =>
	isText(value) ? toPlainText(value) !== '' : Number.isSafeInteger(value);

/** The properties that the specification names; their types are not shown, so only nonsense is put aside. */
const KNOWN: Readonly<Record<string, (value: unknown) => boolean>> = {
	summary: isText,
	transcript: (value) => isText(value) || isContainer(value),
	callStartTime: isTextOrNumber,
	callId: isId,
};

/** Shapes the body of an end-of-call event. Never throws. */
export function readCallEvent(
	body: IDataObject,
	receivedAt: Date,
	eventKey = eventKeyOf(body),
): CallEvent {
	const known = (name: string): IDataObject[string] =>
		KNOWN[name]?.(body[name]) === true ? body[name] : null;
	const callId = known('callId');
	return {
		summary: known('summary'),
		transcript: known('transcript'),
		callStartTime: known('callStartTime'),
		callId: callId === null ? null : toPlainText(callId),
		variables: Object.fromEntries(
			Object.entries(body).filter(([name, value]) => {
				const isAsExpected = Object.hasOwn(KNOWN, name) && (value === null || known(name) !== null);
				return !isAsExpected;
			}),
		),
		eventKey,
		receivedAt: receivedAt.toISOString(),
	};
}

/**
 * The call's ID if there is one, else a digest of the event.
 *
 * The order of properties does not count, unless the event is large or has numbers that JSON.parse cannot keep: then
 * the digest is of the body as it was sent.
 */
export function eventKeyOf(body: IDataObject, rawBody?: Buffer): string {
	const { callId } = body;
	if (isId(callId)) return toPlainText(callId);
	const isAsSent = rawBody !== undefined && (rawBody.length > MAX_SORTED || !isExact(body));
	return createHash('sha256')
		.update(isAsSent ? rawBody : canonicalJson(body))
		.digest('hex');
}

/** Other numbers JSON.parse may have rounded: to infinity, or to the next one that it can hold. */
function isExact(value: unknown): boolean {
	if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
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
