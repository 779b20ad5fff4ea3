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
export function readCallEvent(body: IDataObject, receivedAt: Date): CallEvent {
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
		eventKey: eventKeyOf(body),
		receivedAt: receivedAt.toISOString(),
	};
}

/** The call's id if there is one, else a digest of the body in which the order of properties does not count. */
export function eventKeyOf(body: IDataObject): string {
	const { callId } = body;
	if (KNOWN.callId?.(callId) === true) return toPlainText(callId);
	return createHash('sha256').update(canonicalJson(body)).digest('hex');
}

const canonicalJson = (value: unknown): string =>
	JSON.stringify(value, (_, part: unknown) => (isObject(part) ? sortProperties(part) : part));

const sortProperties = (value: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
