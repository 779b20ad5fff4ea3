import { recipientNumber } from '../declaration/phoneNumber';

/** Numbers that nobody is to reach; or why the list cannot be read. */
export type NumberList = { readonly numbers: ReadonlySet<string> } | { readonly problem: string };

/** How much of an entry an error shows, in characters. */
const SHOWN = 30;

/** A number without what says that it is one: `+49`, `0049` and `49` are the same person. */
export const bareNumber = (cleaned: string): string => cleaned.replace(/^\+/, '');

/** The list that was read last. */
let last: { readonly value: unknown; readonly list: NumberList } | undefined;

/** Reads a list, see {@link readList}. One that is the same as the last is read once: an expression gives it for each item. */
export function readNumbers(value: unknown): NumberList {
	if (last === undefined || !isSame(last.value, value)) last = { value, list: readList(value) };
	return last.list;
}

/** Frees the memory of the list that was read last. */
export function forgetNumbers(): void {
	last = undefined;
}

/**
 * Reads a list of numbers: text with commas, semicolons or line breaks between them, or an array of texts and
 * numbers. Blank entries name nobody.
 *
 * Closed, not open: with one entry that is no phone number with its country code the list cannot be read, because
 * somebody who asked not to be reached may stand there. It knows numbers, not people: somebody with two numbers has
 * to stand there twice.
 */
export function readList(value: unknown): NumberList {
	const entries = entriesOf(value);
	if (entries === undefined) return { problem: 'expected phone numbers as text or as an array' };
	const numbers = new Set<string>();
	for (const entry of entries) {
		if (typeof entry === 'string' && entry.trim() === '') continue;
		const { data } = recipientNumber.safeParse(entry);
		if (data === undefined) return { problem: `expected phone numbers only, not ${show(entry)}` };
		numbers.add(bareNumber(data));
	}
	return { numbers };
}

function entriesOf(value: unknown): readonly unknown[] | undefined {
	if (Array.isArray(value)) return Array.from<unknown>(value);
	if (typeof value === 'number') return [value];
	return typeof value === 'string' ? value.split(/[,;\n\r]/) : undefined;
}

function isSame(one: unknown, other: unknown): boolean {
	if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
	if (one.length !== other.length) return false;
	for (let index = 0; index < one.length; index++) {
		if (one[index] !== other[index]) return false;
	}
	return true;
}

function show(entry: unknown): string {
	const text = typeof entry === 'string' ? entry.trim() : typeof entry;
	return text.length > SHOWN ? `"${text.slice(0, SHOWN)}…"` : `"${text}"`;
}
