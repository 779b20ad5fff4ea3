/**
 * Parts of the expressions that stand beside the schemas: JavaScript over `$value`, the value of a field, as n8n's own
 * router evaluates it. None may hold two closing braces in a row: they would end n8n's expression.
 */

/** True if the value is not blank. */
export const isFilled = (value: string): string => `String(${value} ?? "").trim() !== ""`;

/** Gives nothing for a blank value, else what the expression gives. */
export const unlessBlank = (expression = '$value'): string =>
	`${isFilled('$value')} ? ${expression} : undefined`;

/** An object of these entries; nothing if there are none. */
export const objectOf = (entries: string): string =>
	`((entries) => entries.length > 0 ? Object.fromEntries(entries) : undefined)(${entries})`;

/** JSON: text that is still to be parsed, or the value of an expression. */
export const PARSED_JSON = '(typeof $value === "string" ? JSON.parse($value) : $value)';
