import { isObject, listFirst } from '../values';

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

/** How many names an error lists, and how many characters of each. */
const LISTED = { names: 10, characters: 100 };

/** Names in curly braces for an error text, of bounded length; `undefined` if there is none. */
export function listMissing(names: readonly string[]): string | undefined {
	const shown = names.map((name) =>
		name.length > LISTED.characters ? `{${name.slice(0, LISTED.characters)}...}` : `{${name}}`,
	);
	return names.length === 0 ? undefined : listFirst(shown, LISTED.names);
}
