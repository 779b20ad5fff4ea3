import { z } from 'zod';

import type { ValueSchema } from './field';
import { toText } from './schemas';

/** The longest text that is read as a phone number, in characters; a longer one is refused unread. */
const MAX_LENGTH = 100;

/** Marks that are not seen: soft hyphens, spaces without width, directions of writing. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Spaces, dots, dashes and brackets that people write into phone numbers. */
const FORMATTING = /[\s.()[\]\-\u2010-\u2015\u2212]/g;

/** Texts that would be numbers without their formatting, but were not meant as one with a country code. */
const MISLEADING: readonly RegExp[] = [
	/[\n\v\f\r\u2028\u2029]/, // two lines
	/^\D*[-\u2010-\u2015\u2212]/, // a negative number
];

/** The same, if neither `+` nor `00` says that it is a phone number. */
const MISLEADING_WITHOUT_PREFIX: readonly RegExp[] = [
	/^\D*(?:19|20)\d\d\D+(?:0?[1-9]|[12]\d|3[01])\D+(?:0?[1-9]|[12]\d|3[01])(?:\D+\d\d?)*\D*$/, // 2026-01-31, with or without a time
	/^\D*(?:0?[1-9]|[12]\d|3[01])\D+(?:0?[1-9]|[12]\d|3[01])\D+(?:19|20)\d\d(?:\D+\d\d?)*\D*$/, // 31.01.2026
	/^\D*\d+(?:[^\d.]*\.\D*\d+){3}\D*$/, // 192.168.100.200
];

/** Texts of which it is open which digits are dialled. */
const AMBIGUOUS: readonly RegExp[] = [
	/^\D*0\D+0/, // `0 0` is not the prefix `00`
	/[([][^\d([]*0[^\d)\]]*[)\]]/, // a zero in brackets is dialled by some and not by others
];

/**
 * Removes the formatting of a phone number and writes a leading `00` as `+`. Digits are never added,
 * removed or guessed: `+49 (0)151` keeps its zero in brackets, and so is refused by {@link phoneNumber}.
 */
export function cleanPhoneNumber(written: string): string {
	if (AMBIGUOUS.some((pattern) => pattern.test(written))) return written;
	return written.replace(INVISIBLE, '').replace(FORMATTING, '').replace(/^00/, '+');
}

/** The same for the number of a recipient; what is misleading is returned as it is, and so is refused. */
function cleanRecipientNumber(written: string): string {
	const cleaned = cleanPhoneNumber(written);
	const visible = written.replace(INVISIBLE, '').trim();
	const patterns = cleaned.startsWith('+')
		? MISLEADING
		: [...MISLEADING, ...MISLEADING_WITHOUT_PREFIX];
	return patterns.some((pattern) => pattern.test(visible)) ? written : cleaned;
}

/** A text or a positive whole number, cleaned; numbers of a spreadsheet are phone numbers, too. */
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
		.string({ message: 'expected a phone number as text' })
		.regex(
			/^(?:\+[1-9]\d{4,14}|\d{5,15})$/,
			'expected a phone number of 5 to 15 digits with an optional + or 00 in front, e.g. +4915112345678, and without "(0)"',
		),
);

/**
 * The number of somebody who is called or written to (S 4.4 to 4.10): one number with its country code, 7 to 15 digits
 * with or without `+` or `00` before them. What may be a national number, two numbers, a date, a network address or a
 * negative number is refused.
 */
export const recipientNumber: ValueSchema<string> = z.preprocess(
	cleanedBy(cleanRecipientNumber),
	z
		.string({ message: 'expected a phone number as text' })
		.regex(
			/^\+?[1-9]\d{6,14}$/,
			'expected a phone number of 7 to 15 digits that begins with the country code, e.g. +4915112345678, and without "(0)"',
		),
);
