import { z } from 'zod';

import { bad, faultOf, unexpected, type Parsed } from '../answer/valueFault';
import { visible } from '../values';
import { parsedBy, toText, type ValueSchema } from './schemas';

/** The longest text that is read as a phone number, in characters; others are refused unread. */
const MAX_LENGTH = 100;

/** What prints nothing, such as soft hyphens, spaces without width and directions of writing. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Spaces, dots, dashes and brackets that users write into phone numbers. */
const FORMATTING = /[\s.()[\]\-\u2010-\u2015\u2212]/g;

const NO_TEXT = 'expected a phone number as text';
const TOO_LONG = 'is too long for a phone number';

/** What to enter for a column. A + alone can make another country's number of a national one. */
const ENTER_CODE =
	"Correct the row. If all rows lack the code, enter it before the field, without a leading 0 of the number, as in +49{{ String($json.phone).replace(/^0/, '') }}. Enter +{{ $json.phone }} if only the + is missing.";

/** What a text looks like, what is said of it then, and what to do, if that is special. */
type Problem = readonly [pattern: RegExp, problem: string, hint?: string];

/** Texts of which it is open which digits are dialled, and what is said of them. */
const AMBIGUOUS: readonly Problem[] = [
	[/^\D*0\D+0/, 'begins with two zeros that are apart'],
	// Some dial a zero in brackets, and some do not.
	[/[([][^\d([]*0[^\d)\]]*[)\]]/, 'has a zero in brackets'],
];

/** What is wrong with a number as it is written, the first that applies. */
const PROBLEMS: readonly Problem[] = [
	[new RegExp(`^[^]{${MAX_LENGTH + 1}}`), TOO_LONG],
	[/(?:\d[^\d,;|/+]*){6}[,;|/+]\D*(?:\d[^\d,;|/+]*){6}/, 'is more than one number'],
	[/[\n\v\f\r\u2028\u2029]/, 'has a line break'],
	...AMBIGUOUS,
	// That of an area code, too; but not a prefix, as in (0049).
	[/[([][^\d([]*0(?!0)/, 'has a zero in brackets'],
	[/^\W*[-\u2010-\u2015\u2212][^\d+\-\u2010-\u2015\u2212]*(?!00)\d/, 'begins with a minus sign'],
	// A lone dot is decimal, unless behind a country code with `+`. Spreadsheets write `.0`, `.00`.
	[/^(?!\+\d{1,3}\.)\+?\d*\.\d+$|\.0$|\d{7}\.0+$/, 'is a decimal number'],
];

/** What is wrong with a number that is clean, the first that applies. */
const problemsOfClean = (withoutCode: Problem): readonly Problem[] => [
	[/.\+/, 'has a + behind its first digit'],
	withoutCode,
	[/^\+0/, 'has no country code', ENTER_CODE],
	[/^(?:\+\d{0,6})?$/, 'is too short for a phone number with its country code'],
	[/\d{16}/, TOO_LONG],
];

const OF_RECIPIENT = problemsOfClean([/^\d/, 'has no country code with + or 00', ENTER_CODE]);
const OF_LISTED = problemsOfClean([/^\d{1,5}$/, 'has fewer than 6 digits']);

const problemIn = (problems: readonly Problem[], text: string): Problem | undefined =>
	problems.find(([pattern]) => pattern.test(text));

const withoutInvisible = (written: string): string => written.replace(INVISIBLE, '').trim();

/**
 * Removes the formatting of a phone number and writes a leading `00` as `+`. No digit is added,
 * removed or guessed: `+49 (0)151` keeps its zero in brackets, so {@link phoneNumber} refuses it.
 */
export function cleanPhoneNumber(written: string): string {
	const text = withoutInvisible(written);
	if (problemIn(AMBIGUOUS, text) !== undefined) return text;
	return text.replace(FORMATTING, '').replace(/^00/, '+');
}

/**
 * A phone number of the user's own (S 4.4 to 4.7): 5 to 15 digits. The specification shows no
 * format: after cleaning it must be plain digits, with a leading `+` only before a country code.
 */
export const phoneNumber: ValueSchema<string> = z.preprocess(
	(value) => {
		if (typeof value === 'number' && !(Number.isInteger(value) && value > 0)) return value;
		const written = toText(value);
		return typeof written === 'string' && written.trim().length <= MAX_LENGTH
			? cleanPhoneNumber(written)
			: written;
	},
	z
		.string({ message: NO_TEXT })
		.regex(
			/^(?:\+[1-9]\d{4,14}|\d{5,15})$/,
			'expected a phone number of 5 to 15 digits, e.g. +4915112345678, and without "(0)"',
		),
);

/** Reads a number without zeros before it, or says its problem: `"+0151" has no country code`. */
function readNumber(value: unknown, problemsOfNumber: readonly Problem[]): Parsed<string> {
	if (typeof value !== 'string' && typeof value !== 'number') return unexpected(value, NO_TEXT);
	const written = withoutInvisible(String(value));
	if (written === '') return faultOf(NO_TEXT);
	const wrong = problemIn(PROBLEMS, written);
	const number = cleanPhoneNumber(written).replace(/^0+(?=\d)/, '');
	const [odd] = /[^\d+]/u.exec(number) ?? [];
	if (!wrong && odd) return bad(written, `has ${show(odd)}, which no phone number has`);
	const problem = wrong ?? problemIn(problemsOfNumber, number);
	return problem ? bad(written, problem[1], problem[2]) : { kind: 'read', value: number };
}

/** A character in quotation marks, or its code point if it cannot be seen there. */
const show = (character: string): string =>
	visible(character) === character
		? `"${character}"`
		: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * The number of who is called or written to (S 4.4 to 4.10): one with `+` or `00`, country code and
 * 7 to 15 digits in all. Else it is refused: a national number is a valid one elsewhere.
 */
export const recipientNumber: ValueSchema<string> = parsedBy(z.unknown(), (value) =>
	readNumber(value, OF_RECIPIENT),
);

/** Reads an entry of Do Not Contact: a number with `+`, or the digits that numbers end with. */
export const readListed = (value: unknown): Parsed<string> => readNumber(value, OF_LISTED);
