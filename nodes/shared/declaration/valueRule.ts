import type { ValueSchema } from './schemas';

/** What is sent for a value: a schema, and an expression of n8n that does the same. */
export interface ValueRule<T = unknown> {
	/** Cleans and checks the value; `undefined` leaves the property out of the request. */
	readonly schema: ValueSchema<T>;
	/** The same as JavaScript over `$value`, for n8n's own router; without it, the value itself. */
	readonly expression?: string;
}

/*
 * Parts of the expressions beside the schemas: JavaScript over `$value`, a field's value, for n8n's
 * own router. None may hold two closing braces in a row: they would end n8n's expression.
 */

export const isFilled = (value: string): string => `String(${value} ?? "").trim() !== ""`;

/** Makes an object of entries; nothing if there are none. */
export const objectOf = (entries: string): string =>
	`((entries) => entries.length > 0 ? Object.fromEntries(entries) : undefined)(${entries})`;

/** JSON: text that is still to be parsed, or the value of an expression. */
export const PARSED_JSON = '(typeof $value === "string" ? JSON.parse($value) : $value)';
