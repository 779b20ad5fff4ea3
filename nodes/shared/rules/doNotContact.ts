import { faultOf, type Parsed } from '../answer/valueFault';
import { readListed } from '../declaration/phoneNumber';
import { toPlainText } from '../values';

/** What `readListed` gives, lowest first: with `+` below 0. Reads thrice as fast as a `Set`. */
export type Numbers = Readonly<Float64Array>;

/** How many lists are kept: executions at once, and items with various lists, want one each. */
const MAX_LISTS = 10;

let recentLists: readonly { readonly value: unknown; readonly list: Parsed<Numbers> }[] = [];

/**
 * Reads a list of numbers: text with commas, semicolons or line breaks between them, or an array of
 * texts and numbers. Blank entries name nobody. Lists that were read lately are kept: an expression
 * gives the same one for each item. An entry that is no phone number makes the list unreadable: it
 * may be somebody who asked not to be reached.
 */
export function readNumbers(value: unknown): Parsed<Numbers> {
	const recent = recentLists.find((list) => isSame(list.value, value));
	if (recent !== undefined) return recent.list;
	const list = readList(value);
	recentLists = [{ value, list }, ...recentLists.slice(0, MAX_LISTS - 1)];
	return list;
}

/** Frees the memory of the lists that were read last. */
export function forgetLists(): void {
	recentLists = [];
}

function readList(value: unknown): Parsed<Numbers> {
	const entries = entriesOf(value);
	if (entries === undefined) return faultOf('expected phone numbers as text or as an array');
	const numbers = new Float64Array(entries.length);
	let count = 0;
	for (const entry of entries) {
		const text = toPlainText(entry);
		if (text === '' && typeof entry === 'string') continue;
		const plain = plainNumber(text);
		const read = plain ? undefined : readListed(entry);
		if (read && read.kind !== 'read') return read;
		numbers[count++] = read ? toNumber(read.value) : plain;
	}
	return { kind: 'read', value: numbers.subarray(0, count).sort() };
}

/** Makes one list of entries as {@link readListed} gives them. */
export const toNumbers = (listed: readonly string[]): Numbers =>
	Float64Array.from(listed, toNumber).sort();

const toNumber = (listed: string): number => (listed.startsWith('+') ? -1 : 1) * Number(listed);

/** Reads a plainly written number like {@link readListed}, in a tenth of the time; else NaN. */
function plainNumber(text: string): number {
	const isPlus = text.startsWith('+');
	let number = 0;
	for (let at = isPlus ? 1 : 0; at < text.length; at++) {
		const digit = text.charCodeAt(at) - 0x30;
		if (digit >= 0 && digit <= 9) number = number * 10 + digit;
		else if (!isBetween(text, at, number > 0)) return NaN;
		// Only `00` or `0` may stand before the first digit that counts.
		if (number === 0 && (isPlus || at > 1)) return NaN;
	}
	const isWhole = isPlus || text.startsWith('00');
	const isPlain = number >= (isWhole ? 1e6 : 1e5) && number < 1e15;
	return isPlain ? (isWhole ? -number : number) : NaN;
}

/** Says whether a sign may stand there: a bracket, but before no zero; others behind a digit. */
const isBetween = (text: string, at: number, hasBegun: boolean): boolean =>
	text[at] === '('
		? text.charAt(at + 1) > '0'
		: hasBegun && (text[at] === ' ' || text[at] === '-' || text[at] === ')');

function entriesOf(value: unknown): readonly unknown[] | undefined {
	if (typeof value === 'string') return value.split(/[,;\n\r]/);
	if (typeof value === 'number') return [value];
	return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}

/** Says whether the list holds a number back, or each that ends like one without `+`. */
export function isListed(numbers: Numbers, phone: string): boolean {
	const signedNumber = toNumber(phone);
	const digits = Math.abs(signedNumber);
	// Each end of 6 digits or more, up to the whole; numbers below 10 ** 15 are exact.
	for (let unit = 1e6; unit <= digits * 10; unit *= 10)
		if (has(numbers, digits % unit)) return true;
	return has(numbers, signedNumber);
}

function has(numbers: Numbers, signedNumber: number): boolean {
	let [from, to] = [0, numbers.length];
	while (from < to) {
		const middle = (from + to) >>> 1;
		if ((numbers[middle] ?? NaN) < signedNumber) from = middle + 1;
		else to = middle;
	}
	return numbers[from] === signedNumber;
}

function isSame(first: unknown, second: unknown): boolean {
	if (!Array.isArray(first) || !Array.isArray(second)) return first === second;
	let at = 0;
	while (at < first.length && first[at] === second[at]) at += 1;
	return at === first.length && at === second.length;
}
