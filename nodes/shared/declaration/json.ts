import { faultOf, type Parsed } from '../answer/valueFault';
import { isContainer, isDate, isDeeperThan, MAX_DEPTH, visible } from '../values';

const NO_DATE = 'Invalid DateTime';

/** What stands for an object, no date, or a formula that fails; in JSON, `/` may be escaped. */
const LOST =
	/\[object Object\]|Invalid Date(?:Time)?|#(?:N\\?\/A|REF!|VALUE!|NAME\?|DIV\\?\/0!|NUM!|NULL!)/;

/** Says what a text has lost on its way; `undefined` if it has lost nothing. */
export function lostIn(text: string): string | undefined {
	const [lost] = LOST.exec(text) ?? [];
	return lost && `expected text, but "${lost}" stands in it: correct the value or its expression`;
}

/** Makes ISO 8601 of a date, as JSON does. */
export const isoText = (date: unknown): unknown => JSON.parse(JSON.stringify(date)) ?? NO_DATE;

/** The most values within an expression's value. What it holds twice counts twice, as in JSON. */
const MAX_VALUES = 1_000_000;

const NOT_IN_JSON = new Set(['bigint', 'function', 'symbol']);

const TOO_DEEP = `expected values nested at most ${MAX_DEPTH} deep`;
const NO_JSON =
	'expected values that JSON can hold: texts, numbers, true, false, null, lists and objects';

/**
 * Reads JSON as n8n gives it: text that is still to be parsed, or the value of an expression. The
 * latter is copied as JSON writes it, so a date becomes its ISO text, and what is checked is what
 * is sent. Never throws. Refuses what is nested more than {@link MAX_DEPTH} deep, what refers to
 * itself, and what JSON would leave out or replace by `null`, but for `undefined`.
 */
export function readJson(input: unknown): Parsed<unknown> {
	const isText = typeof input === 'string';
	try {
		const text = isText ? input : writeJson(input);
		const lost = lostIn(text);
		if (lost !== undefined) return faultOf(lost);
		const value: unknown = JSON.parse(text);
		const isTooDeep = isContainer(value) && isDeeperThan(value, MAX_DEPTH);
		return isTooDeep ? faultOf(TOO_DEEP) : { kind: 'read', value };
	} catch (error) {
		if (error instanceof RangeError) return faultOf(TOO_DEEP);
		return faultOf(isText && error instanceof Error ? problemOf(input, error) : NO_JSON);
	}
}

/** Says what V8 has found in a text, and where: its messages have a position, or show the place. */
function problemOf(text: string, { message }: Error): string {
	const what = message
		.replace(/ is not valid JSON$/, '')
		.replace(/position (\d+)(?: \(.*\))?$/, (_, at) => {
			const lines = text.slice(0, Number(at)).split('\n');
			return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
		});
	return `no valid JSON: ${visible(what)}`;
}

/** @throws Error; what the value's getters throw; RangeError if nested too deeply for JavaScript */
function writeJson(input: unknown): string {
	let count = 0;
	return JSON.stringify(input, function (this: Record<string, unknown>, name, part: unknown) {
		// JSON has null for what is no date.
		if (part === null && isDate(this[name])) return NO_DATE;
		const isWritten = !NOT_IN_JSON.has(typeof part) && (typeof part !== 'number' || isFinite(part));
		if (!isWritten || ++count > MAX_VALUES) throw new Error(NO_JSON);
		return part;
	});
}
