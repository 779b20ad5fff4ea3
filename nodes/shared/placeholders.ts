import { isObject } from './values';

/** A name in curly braces (S 4.9); braces around anything else, such as JSON, are plain text. */
const PLACEHOLDER = /\{([\p{L}_][\p{L}\p{N}_. -]*)\}/gu;

/**
 * The placeholders of a message that no attribute fills (S 4.9). The recipient would read them as they
 * stand, so the message is not sent.
 */
export function missingPlaceholders(message: unknown, attributes: unknown): string[] {
	if (typeof message !== 'string') return [];
	const known = new Set(isObject(attributes) ? Object.keys(attributes) : []);
	const names = Array.from(message.matchAll(PLACEHOLDER), ([, name]) => name ?? '');
	return [...new Set(names)].filter((name) => !known.has(name));
}
