import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

/** A JSON object or an array. */
export type Container = Record<string, unknown> | unknown[];

/** Says whether a value is a JSON object or an array, not `null`. */
export const isContainer = (value: unknown): value is Container =>
	typeof value === 'object' && value !== null;

/** Says whether a value is a JSON object, not an array or `null`. */
export const isObject = (value: unknown): value is IDataObject =>
	isContainer(value) && !Array.isArray(value);

/** Says whether a value is a date of JavaScript or of Luxon, also of another realm. */
export const isDate = (value: unknown): boolean =>
	isObject(value) &&
	(Object.prototype.toString.call(value) === '[object Date]' || value.isLuxonDateTime === true);

/** Gives text or a number as text without white space around it; empty for anything else. */
export const toPlainText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** Says whether a value is `undefined`, `null`, or text that is empty or white space. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Joins the texts that are not empty, with a space, or what is given, between them. */
export const joinTexts = (texts: readonly string[], between = ' '): string =>
	texts.filter((text) => text !== '').join(between);

/** Groups values by a key, in their order. */
export function groupBy<T>(values: Iterable<T>, keyOf: (value: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const value of values) {
		const group = groups.get(keyOf(value));
		if (group) group.push(value);
		else groups.set(keyOf(value), [value]);
	}
	return groups;
}

/** Lists the first of some names, and how many more there are: "a, b and 3 more". */
export function listFirst(names: readonly string[], most: number): string {
	const more = names.length - most;
	return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** How many rows a hint or an error names. */
const MOST_ROWS = 10;

/** Lists the first of some rows, counted from 1, and how many more there are: "2, 5 and 3 more". */
export const listRows = (rows: readonly number[]): string => listFirst(rows.map(String), MOST_ROWS);

/** What prints nothing, or on another character; the last three are blank signs. */
const UNSEEN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}]|^\p{M}/gu;

/** Shows what cannot be seen in a text by its code, as JSON escapes it: "\ufeffphone". */
export const visible = (text: string): string =>
	text.replace(UNSEEN, (unseen) =>
		JSON.stringify(unseen)
			.slice(1, -1)
			.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
	);

/** Gives the first 40 characters of a text, as an error shows them, see {@link visible}. */
export const shorten = (text: string): string => visible(text.replace(/^(.{40}).+/su, '$1…'));

/** How deep a value from outside may be nested; n8n could not save what is much deeper. */
export const MAX_DEPTH = 200;

/**
 * Says whether containers are nested more than `depth` deep; a container that holds none is 1 deep.
 * The recursion goes no deeper than `depth`.
 */
export const isDeeperThan = (container: Container, depth: number): boolean =>
	depth === 0 ||
	Object.values(container).some((part) => isContainer(part) && isDeeperThan(part, depth - 1));

/** Makes a hash of 132 bits: short, and free of collisions in practice. */
export const digest = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, 22);
