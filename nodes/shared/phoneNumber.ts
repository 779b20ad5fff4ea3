import { z } from 'zod';

import type { ValueSchema } from './operation';
import { toText } from './schemas';

/** Spaces, invisible marks, dots, dashes and brackets that people write into phone numbers. */
const PHONE_FORMATTING =
	/[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff.()[\]\-\u2010-\u2015\u2212]/g;

/** A zero in brackets is dialled by some and not by others; `0 0` is not the prefix `00`. */
const AMBIGUOUS_NUMBER = /[([]\D*0\D*[)\]]|^\D*0[^\d+]+0/s;

/**
 * Removes the formatting of a phone number and writes a leading `00` as `+`. Digits are never added,
 * removed or guessed: `+49 (0)151` keeps its zero in brackets, and so is refused by {@link phoneNumber}.
 */
export function cleanPhoneNumber(value: string): string {
	if (AMBIGUOUS_NUMBER.test(value)) return value;
	return value.replace(PHONE_FORMATTING, '').replace(/^00/, '+');
}

/** A phone number. The specification does not show the format, so what is left must be plain digits. */
export const phoneNumber: ValueSchema<string> = z.preprocess(
	(value) => {
		if (typeof value === 'number' && !(Number.isInteger(value) && value > 0)) return value;
		const number = toText(value);
		return typeof number === 'string' ? cleanPhoneNumber(number) : number;
	},
	z
		.string({ message: 'expected a phone number as text' })
		.regex(
			/^(?:\+[1-9]\d{4,14}|\d{5,15})$/,
			'expected a phone number of 5 to 15 digits with an optional + or 00 in front, e.g. +4915112345678, and without "(0)"',
		),
);
