import { createHash } from 'crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { isContainer, toId, toPlainText } from '../shared/values';

/** The property of an event that carries the call's ID, unless the user names another. */
export const DEFAULT_CALL_ID_PROPERTY = 'callId';

export const readCallIdProperty = (context: IWebhookFunctions): string =>
	toPlainText(context.getNodeParameter('options.callIdProperty', '')) || DEFAULT_CALL_ID_PROPERTY;

/** Reads a property by its whole name or else its path, as in `calls.0.id`; `undefined`: none. */
export function propertyOf(body: IDataObject, name: string): unknown {
	const path = Object.hasOwn(body, name) ? [name] : name.split('.');
	return path.reduce<unknown>(
		(value, part) =>
			isContainer(value) && Object.prototype.propertyIsEnumerable.call(value, part)
				? Reflect.get(value, part)
				: undefined,
		body,
	);
}

/**
 * Reads the call's ID as text, or null if the property is absent, holds a placeholder, or is
 * neither text nor a whole number below 2^53: two larger ones could be read as equal.
 */
export function callIdOf(body: IDataObject, property: string): string | null {
	const value = propertyOf(body, property);
	const isId = typeof value === 'string' || Number.isSafeInteger(value);
	return isId && toId(value) !== '' ? toId(value) : null;
}

/** True for `null`, and for a text or number that stands for an absent value. */
const isPlaceholder = (value: unknown): boolean =>
	value === null || (['string', 'number'].includes(typeof value) && toId(value) === '');

/** Says whether a transcript holds text other than placeholders, at any depth. */
export function isSpoken(transcript: unknown): boolean {
	if (isContainer(transcript)) return Object.values(transcript).some(isSpoken);
	return typeof transcript === 'string' && !isPlaceholder(transcript);
}

/** Gives the call's ID if there is one, else a digest of the bytes as they were sent. */
export const eventKeyOf = (callId: string | null, body: IDataObject, rawBody?: Buffer): string =>
	callId ??
	createHash('sha256')
		.update(rawBody ?? JSON.stringify(body))
		.digest('hex');

/**
 * Shapes the body of an end-of-call event as the trigger outputs it (S 6). Never throws.
 *
 * @param callIdProperty the property of the call's ID; stays among the variables if it holds none
 * @returns what the specification names, null where absent; `variables` holds all other properties
 */
export function readCallEvent(
	body: IDataObject,
	callIdProperty: string,
	eventKey: string,
	receivedAt: Date,
) {
	const callId = callIdOf(body, callIdProperty);
	const { summary = null, transcript = null, callStartTime = null, ...values } = body;
	const hasId = callId !== null || isPlaceholder(propertyOf(body, callIdProperty));
	const variables = Object.entries(values).filter(([name]) => !hasId || name !== callIdProperty);
	return {
		...{ summary, transcript, callStartTime, callId },
		variables: Object.fromEntries(variables),
		eventKey,
		receivedAt: receivedAt.toISOString(),
	};
}
