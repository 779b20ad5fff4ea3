import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObject, toPlainText } from '../shared/values';

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

const isText = (value: unknown): boolean => typeof value === 'string';

const isTextOrNumber = (value: unknown): boolean => isText(value) || typeof value === 'number';

/** The properties that the specification names; their types are not shown, so only nonsense is put aside. */
const KNOWN: Readonly<Record<string, (value: unknown) => boolean>> = {
	summary: isText,
	transcript: (value) => isText(value) || (typeof value === 'object' && value !== null),
	callStartTime: isTextOrNumber,
	callId: (value) => isTextOrNumber(value) && toPlainText(value) !== '',
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

/** The call's id if there is one, else a digest of the body in which the order of properties does not count. */
export function eventKeyOf(body: IDataObject): string {
	const { callId } = body;
	if (KNOWN.callId?.(callId) === true) return toPlainText(callId);
	return createHash('sha256').update(canonicalJson(body)).digest('hex');
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
