import { z } from 'zod';

import type { ValueSchema } from './schemas';
import { toText } from './schemas';
import { butNot, shorten } from '../values';

/** The longest text that is read as a phone number, in characters; a longer one is refused unread. */
const MAX_LENGTH = 100;

/** Marks that are not seen: soft hyphens, spaces without width, directions of writing. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Spaces, dots, dashes and brackets that people write into phone numbers. */
const FORMATTING = /[\s.()[\]\-\u2010-\u2015\u2212]/g;

const NO_TEXT = 'expected a phone number as text';
/** Says that a character is the fault, which is named where it is known. */
const ODD = 'has a character that no phone number has';
const TOO_LONG = 'is too long for a phone number';

/** What a text looks like, and what is said of it then. */
type Fault = readonly [RegExp, string];

/** Texts of which it is open which digits are dialled, and what is said of them. */
const AMBIGUOUS: readonly Fault[] = [
	[/^\D*0\D+0/, 'begins with two zeros that are apart'],
	// Some dial a zero in brackets, and some do not.
	[/[([][^\d([]*0[^\d)\]]*[)\]]/, 'has a zero in brackets'],
];

/** Texts that would be numbers without their formatting, but were not meant as one with a country code. */
const MISLEADING: readonly Fault[] = [
	[/[\n\v\f\r\u2028\u2029]/, 'has a line break'],
	[/^\D*[-\u2010-\u2015\u2212]/, 'begins with a minus sign'],
	// One dot alone is that of a decimal number, unless it stands behind a country code with `+`.
	[/^(?!\+\d{1,3}\.\d{4})\+?\d*\.\d+$/, 'is a decimal number'],
	// Whatever else separates: nobody writes a phone number so, and a spreadsheet does.
	[/\.0$/, 'is a decimal number'],
];

/** What makes a text no phone number if neither `+` nor `00` says that it is one. */
const MISLEADING_WITHOUT_PREFIX: readonly Fault[] = [
	// 2026-01-31, with or without a time
	[
		/^\D*(?:19|20)\d\d\D+(?:0?[1-9]|[12]\d|3[01])\D+(?:0?[1-9]|[12]\d|3[01])(?:\D+\d\d?)*\D*$/,
		'looks like a date',
	],
	// 31.01.2026
	[
		/^\D*(?:0?[1-9]|[12]\d|3[01])\D+(?:0?[1-9]|[12]\d|3[01])\D+(?:19|20)\d\d(?:\D+\d\d?)*\D*$/,
		'looks like a date',
	],
	[/^\D*\d+(?:[^\d.]*\.\D*\d+){3}\D*$/, 'looks like a network address'],
];

/** What is wrong with a number that is clean, the first that applies. */
const FAULTS_OF_CLEAN: readonly Fault[] = [
	[/[^\d+]/, ODD],
	[/.\+/, 'has a + behind its first digit'],
	[/^\D*$/, 'has no digits of a number'],
	[/^\+?0/, 'has no country code'],
	[/^\+?\d{1,6}$/, 'is too short for a phone number with its country code'],
	[/\d{16}/, TOO_LONG],
];

/**
 * Removes the formatting of a phone number and writes a leading `00` as `+`. Digits are never added,
 * removed or guessed: `+49 (0)151` keeps its zero in brackets, and so is refused by {@link phoneNumber}.
 */
export function cleanPhoneNumber(written: string): string {
	if (faultIn(AMBIGUOUS, written) !== undefined) return written;
	return written.replace(INVISIBLE, '').replace(FORMATTING, '').replace(/^00/, '+');
}

/** Cleans the number of a recipient; what is misleading is returned as it is, and so is refused. */
const cleanRecipientNumber = (written: string): string =>
	misleadingFault(written) === undefined ? cleanPhoneNumber(written) : written;

function misleadingFault(written: string): string | undefined {
	const visible = written.replace(INVISIBLE, '').trim();
	const hasPrefix = cleanPhoneNumber(written).startsWith('+');
	return (
		faultIn(MISLEADING, visible) ??
		(hasPrefix ? undefined : faultIn(MISLEADING_WITHOUT_PREFIX, visible))
	);
}

const faultIn = (faults: readonly Fault[], text: string): string | undefined =>
	faults.find(([pattern]) => pattern.test(text))?.[1];

/** Why a recipient's number is refused: `"0151 23456789" has no country code`. */
export function faultOfRecipient(value: unknown): string {
	if (typeof value !== 'string' && typeof value !== 'number') return NO_TEXT + butNot(value);
	const written = String(value).trim();
	if (written.length > MAX_LENGTH) return `"${shorten(written)}" ${TOO_LONG}`;
	const fault =
		(isSeveral(written) ? 'is more than one number' : undefined) ??
		faultIn(AMBIGUOUS, written) ??
		misleadingFault(written) ??
		faultIn(FAULTS_OF_CLEAN, cleanPhoneNumber(written));
	const [odd] = /[^\d+]/u.exec(cleanPhoneNumber(written)) ?? [];
	const told = fault === ODD ? `has "${odd ?? ''}", which no phone number has` : fault;
	return `"${shorten(written)}" ${told ?? 'is no phone number'}`;
}

/** True if a text holds several numbers with a sign between them. */
const isSeveral = (written: string): boolean =>
	written.split(/[,;|/+]/).filter((part) => part.replaceAll(/\D/g, '').length >= 6).length > 1;

/** Cleans a text or a positive whole number; numbers of a spreadsheet are phone numbers, too. */
const cleanedBy =
	(clean: (written: string) => string) =>
	(value: unknown): unknown => {
		if (typeof value === 'number' && !(Number.isInteger(value) && value > 0)) return value;
		const written = toText(value);
		if (typeof written !== 'string') return written;
		const trimmed = written.trim();
		return trimmed.length > MAX_LENGTH ? trimmed : clean(trimmed);
	};

/**
 * A phone number of the user's own (S 4.4 to 4.7): 5 to 15 digits. The specification does not show the format, so what is
 * left after cleaning must be plain digits, with a leading `+` only before a country code.
 */
export const phoneNumber: ValueSchema<string> = z.preprocess(
	cleanedBy(cleanPhoneNumber),
	z
		.string({ message: NO_TEXT })
		.regex(
			/^(?:\+[1-9]\d{4,14}|\d{5,15})$/,
			'expected a phone number of 5 to 15 digits with an optional + or 00 in front, e.g. +4915112345678, and without "(0)"',
		),
);

/**
 * The number of somebody who is called or written to (S 4.4 to 4.10): one number with its country code, 7 to 15 digits
 * with or without `+` or `00` before them. What may be a national number, two numbers, a date, a network address, a
 * decimal or a negative number is refused, with the one fault that it has.
 */
export const recipientNumber: ValueSchema<string> = z
	.unknown()
	.transform((value, context): string => {
		const cleaned = cleanRecipient(value);
		if (typeof cleaned === 'string' && RECIPIENT.test(cleaned)) return cleaned;
		context.addIssue({ code: 'custom', message: faultOfRecipient(value) });
		return z.NEVER;
	});

const cleanRecipient = cleanedBy(cleanRecipientNumber);

const RECIPIENT = /^\+?[1-9]\d{6,14}$/;
