import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/values';

type Value = IDataObject[string];

/** Takes these properties of an answer; `null` stands for one that is absent. */
export const pick =
	(...names: string[]) =>
	(answer: IDataObject): IDataObject =>
		Object.fromEntries(names.map((name) => [name, answer[name] ?? null]));

/** Reads the value at a path of an answer, or `null` if the answer does not go that far. */
export const at = (answer: IDataObject, ...path: string[]): Value =>
	path.reduce<Value>((part, name) => (isObject(part) ? part[name] : undefined), answer) ?? null;

/** Reads the objects of the list at a path of an answer; none if there is no list. */
export function listAt(answer: IDataObject, ...path: string[]): IDataObject[] {
	const list: unknown = at(answer, ...path);
	return Array.isArray(list) ? list.filter(isObject) : [];
}

/** A name of an identifier, what may stand between, and the identifier itself. */
const NAMED_IDENTIFIER =
	/\b(?:(?:\w*(?:_|message|msg|sms|campaign|thread|conversation|uu|gu))?id|sid|identifier)\b["']?\s*(?:(?:(?:is|was|of|no)\b\.?|[:=#-])+\s*)?["'([<]?([a-z0-9](?:[\w.:=-]*[\w=])?)/gi;

const BARE_IDENTIFIER =
	/\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{24}|[A-Z]{2}[0-9a-f]{32})\b/i;

/**
 * Takes the identifier out of a confirmation (S 4.5, S 4.6), whose form is not shown: what follows
 * the word "id" and holds a digit, else what looks like an identifier. `null` if there is none.
 */
export function identifierIn(text: unknown): string | null {
	if (typeof text !== 'string') return null;
	for (const [, identifier] of text.matchAll(NAMED_IDENTIFIER))
		if (identifier !== undefined && /\d/.test(identifier)) return identifier;
	return BARE_IDENTIFIER.exec(text)?.[0] ?? null;
}
