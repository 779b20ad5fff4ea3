import { readListed } from '../declaration/phoneNumber';
import { plainNumber } from './plainNumber';

/** Phone numbers as whole numbers, the lowest first: a long list is read three times as fast as into a `Set`. */
export type SortedNumbers = Readonly<Float64Array>;

/** Numbers that nobody is to reach; or why the list cannot be read. */
export type NumberList = { readonly numbers: SortedNumbers } | { readonly problem: string };

/** How many lists are kept. Executions at the same time, and items with other lists in turn, want one each. */
const KEPT = 10;

/** The lists that were read last. */
let kept: readonly { readonly value: unknown; readonly list: NumberList }[] = [];

/** Reads a list, see {@link readList}. Lists that were read lately are kept: an expression gives the same one for each item. */
export function readNumbers(value: unknown): NumberList {
	const known = kept.find((one) => isSame(one.value, value));
	if (known !== undefined) return known.list;
	const list = readList(value);
	kept = [{ value, list }, ...kept.slice(0, KEPT - 1)];
	return list;
}

/** Frees the memory of the lists that were read last. */
export function forgetLists(): void {
	kept = [];
}

/**
 * Reads a list of numbers: text with commas, semicolons or line breaks between them, or an array of texts and
 * numbers. Blank entries name nobody.
 *
 * With one entry that is no phone number with its country code the list cannot be read, because somebody who asked not to
 * be reached may stand there. It knows numbers, not people: somebody with two numbers has
 * to stand there twice.
 */
export function readList(value: unknown): NumberList {
	const entries = entriesOf(value);
	if (entries === undefined) return { problem: 'expected phone numbers as text or as an array' };
	const numbers = new Float64Array(entries.length);
	let count = 0;
	for (const entry of entries) {
		const plain = plainNumber(entry);
		if (!Number.isNaN(plain)) numbers[count++] = plain;
		else if (!isBlankText(entry)) {
			const read = readListed(entry);
			if ('problem' in read) return read;
			numbers[count++] = Number(read.number);
		}
	}
	return { numbers: numbers.subarray(0, count).sort() };
}

const isBlankText = (entry: unknown): boolean => typeof entry === 'string' && entry.trim() === '';

function entriesOf(value: unknown): readonly unknown[] | undefined {
	if (typeof value === 'string') return value.split(/[,;\n\r]/);
	if (typeof value === 'number') return [value];
	return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}

/** True if the number stands on the list. */
export function isListed(numbers: SortedNumbers, cleaned: string): boolean {
	const number = Number(cleaned);
	let [from, to] = [0, numbers.length];
	while (from < to) {
		const middle = (from + to) >>> 1;
		if ((numbers[middle] ?? NaN) < number) from = middle + 1;
		else to = middle;
	}
	return numbers[from] === number;
}

function isSame(one: unknown, other: unknown): boolean {
	if (one === other) return true;
	if (!Array.isArray(one) || !Array.isArray(other)) return false;
	if (one.length !== other.length) return false;
	for (let index = 0; index < one.length; index++) {
		if (one[index] !== other[index]) return false;
	}
	return true;
}
