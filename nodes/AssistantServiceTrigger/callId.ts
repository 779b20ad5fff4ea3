import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { isContainer, toPlainText } from '../shared/values';

/** The property of an event that carries the call's ID, unless the user names another. */
export const DEFAULT_CALL_ID_PROPERTY = 'callId';

/** The properties that the specification names (S 6.2). Several calls can have the same value there. */
const NO_CALL_IDS: readonly string[] = ['summary', 'transcript', 'callStartTime'];

/** Texts that stand for an absent value, in lower case. */
const PLACEHOLDERS: readonly string[] = ['', 'n/a', 'null', 'undefined', '0'];

const LONGEST_PLACEHOLDER = Math.max(...PLACEHOLDERS.map(({ length }) => length));

/** The character that replaces bytes that are not valid UTF-8. */
export const UNDECODABLE = '\ufffd';

/**
 * Reads the option `callIdProperty` of a trigger: the name of a property of the event. Blank means the default.
 *
 * @throws Error if it is not text, or names a property that several calls can share
 */
export function readCallIdProperty(context: Pick<IWebhookFunctions, 'getNodeParameter'>): string {
	const option: unknown = context.getNodeParameter('options.callIdProperty', '') ?? '';
	if (typeof option !== 'string') throw new Error('it is not the name of a property');
	const name = option.trim();
	if (NO_CALL_IDS.includes(name)) {
		throw new Error(`"${name}" is not the ID of a call: several calls can have the same value`);
	}
	return name === '' ? DEFAULT_CALL_ID_PROPERTY : name;
}

/** `null` if the option cannot be used: events then have no call ID, so none is mistaken for another. */
export function callIdPropertyOf(context: IWebhookFunctions): string | null {
	try {
		return readCallIdProperty(context);
	} catch {
		return null;
	}
}

/**
 * The call's ID as text, or null if the property is absent, holds a placeholder, or is neither text nor a whole number
 * below 2^53. Larger numbers and text that was not UTF-8 are no IDs, because two different ones could be read as equal.
 *
 * @param property `null` if no property carries the ID
 */
export function callIdOf(body: IDataObject, property: string | null): string | null {
	const value = property !== null && Object.hasOwn(body, property) ? body[property] : null;
	const isId =
		typeof value === 'string' ? !value.includes(UNDECODABLE) : Number.isSafeInteger(value);
	return isId && !isPlaceholder(value) ? toPlainText(value) : null;
}

/** True for `null`, and for a text or number that stands for an absent value, in any case and with white space around it. */
export function isPlaceholder(value: unknown): boolean {
	if (value === null) return true;
	if (typeof value !== 'string' && typeof value !== 'number') return false;
	const text = toPlainText(value);
	return text.length <= LONGEST_PLACEHOLDER && PLACEHOLDERS.includes(text.toLowerCase());
}

/** True if a transcript holds text other than placeholders, at any depth. */
export function isSpoken(transcript: unknown): boolean {
	if (isContainer(transcript)) return Object.values(transcript).some(isSpoken);
	return typeof transcript === 'string' && !isPlaceholder(transcript);
}
