import { z } from 'zod';

import { isBlank } from '../values';
import { readJson } from './json';

/** A zod schema that takes whatever the user or an expression gave and says what is sent. */
export type ValueSchema<T = unknown> = z.ZodType<T, z.ZodTypeDef, unknown>;

/** Numbers of a spreadsheet become text; one that is too large to be exact stays a number and is refused. */
export function toText(value: unknown): unknown {
	const isExact =
		typeof value === 'number' &&
		Number.isFinite(value) &&
		Math.abs(value) <= Number.MAX_SAFE_INTEGER;
	return isExact ? String(value) : value;
}

function toTrimmedText(value: unknown): unknown {
	const text = toText(value);
	return typeof text === 'string' ? text.trim() : text;
}

/** Blank values are left out of the request; others must satisfy the schema. */
export const optional = (schema: ValueSchema): ValueSchema =>
	z.preprocess((value) => (isBlank(value) ? undefined : value), schema.optional());

/** A value that is one of those offered. */
export const oneOf = <T extends string>(...values: [T, ...T[]]): ValueSchema<T> =>
	z.enum(values, { message: `expected one of: ${values.join(', ')}` });

export const flag: ValueSchema<boolean> = z.boolean({ message: 'expected true or false' });

/** Text that is sent as it is; numbers become text. */
export const text: ValueSchema<string> = z.preprocess(
	toText,
	z
		.string({ message: 'expected text' })
		.refine((value) => value.trim() !== '', 'expected text, but it is empty'),
);

/** Text that may be missing, which is then the empty text. */
export const textOrEmpty: ValueSchema<string> = z.preprocess(
	(value) => (isBlank(value) ? '' : toText(value)),
	z.string({ message: 'expected text' }),
);

/** A name, a code or the like: text without white space around it. */
export const label: ValueSchema<string> = z.preprocess(
	toTrimmedText,
	z.string({ message: 'expected text' }).min(1, 'expected text, but it is empty'),
);

// The editor shows the errors of a list without dashes: no dash in this text, and no value, which a `regex` would add.
const NO_UUID = 'expected a UUID of 36 characters';

/** An identifier that S 2.1 types as a UUID. Letters keep their case. */
export const uuid: ValueSchema<string> = z.preprocess(
	toTrimmedText,
	z
		.string({ message: NO_UUID })
		.refine((value) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value), NO_UUID),
);

/**
 * An identifier in the service's or the client's own form (S 2.1). `.` and `..` cannot be sent: they
 * would change the path; nor can text that is not well-formed Unicode.
 */
export const identifier: ValueSchema<string> = z.preprocess(
	toTrimmedText,
	z
		.string({ message: 'expected an identifier as text' })
		.min(1, 'expected an identifier, but it is empty')
		.refine(
			(value) => value !== '.' && value !== '..',
			'expected an identifier other than "." and ".."',
		)
		.refine(isWellFormed, 'expected an identifier of valid characters'),
);

/** True if the text has no half of a surrogate pair, which cannot be encoded. */
function isWellFormed(value: string): boolean {
	return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(value);
}

/** A call's priority (S 4.4): 0 low, 1 medium, 2 high. */
export const priority: ValueSchema<number> = z.preprocess(
	(value) => (typeof value === 'string' && /^\s*\d\s*$/.test(value) ? Number(value) : value),
	z.union([z.literal(0), z.literal(1), z.literal(2)], {
		errorMap: () => ({ message: 'expected 0 (low), 1 (medium) or 2 (high)' }),
	}),
);

/** The longest URL that is looked at, in characters: reading a host in other letters than ASCII takes quadratic time. */
const MAX_URL_LENGTH = 4_096;

/** True if the text is an absolute URL of http or https, of at most {@link MAX_URL_LENGTH} characters. */
const isWebAddress = (value: string): boolean =>
	value.length <= MAX_URL_LENGTH && /^https?:\/\//i.test(value) && URL.canParse(value);

/** An address of the web, of at most {@link MAX_URL_LENGTH} characters. */
export const webAddress: ValueSchema<string> = z.preprocess(
	toTrimmedText,
	z
		.string({ message: 'expected a URL' })
		.refine(
			isWebAddress,
			`expected a URL that starts with http:// or https://, of at most ${MAX_URL_LENGTH} characters`,
		),
);

/** The address before `/v1`; what comes behind a `?` or `#` would swallow the path. */
export const baseUrl: ValueSchema<string> = z.preprocess(
	toTrimmedText,
	z
		.string({ message: 'expected a URL' })
		.refine(
			(value) => isWebAddress(value) && !/[?#]/.test(value),
			'expected a URL that starts with http:// or https://, without ? or #',
		),
);

/** Text that an HTTP header carries unchanged. */
export const headerText: ValueSchema<string> = z.preprocess(
	toTrimmedText,
	z
		.string({ message: 'expected text' })
		.min(1, 'expected text, but it is empty')
		.regex(/^[\x20-\x7e]*$/, 'expected printable ASCII characters on one line'),
);

/** Text that is a number becomes one. */
const toNumber = (value: unknown): unknown =>
	typeof value === 'string' && value.trim() !== '' ? Number(value) : value;

/** A whole number within bounds, also as text. */
export const wholeNumber = (min: number, max: number): ValueSchema<number> => {
	const message = `expected a whole number from ${min} to ${max}`;
	return z.preprocess(
		toNumber,
		z.number({ message }).int(message).min(min, message).max(max, message),
	);
};

/** A number within bounds, also as text. */
export const numberWithin = (min: number, max: number): ValueSchema<number> => {
	const message = `expected a number from ${min} to ${max}`;
	return z.preprocess(toNumber, z.number({ message }).min(min, message).max(max, message));
};

/** JSON as n8n gives it: text that is still to be parsed, or the value of an expression; see {@link readJson}. */
export const json = <T>(schema: ValueSchema<T>): ValueSchema<T> =>
	z
		.unknown()
		.transform((given, context): unknown => {
			const read = readJson(given);
			if ('value' in read) return read.value;
			context.addIssue({ code: 'custom', message: read.problem });
			return z.NEVER;
		})
		.pipe(schema);

/** How many bad entries of a list are reported; a list can be long, and each report takes time. */
const REPORTED_ENTRIES = 10;

/** A list of entries, each as the schema wants it. After the first {@link REPORTED_ENTRIES} bad ones the rest is not looked at. */
export const listOf = <T>(entry: ValueSchema<T>, message: string): ValueSchema<T[]> =>
	z.array(z.unknown(), { message }).transform((entries, context): T[] => {
		const good: T[] = [];
		let bad = 0;
		for (const [index, value] of entries.entries()) {
			const { data, error } = entry.safeParse(value);
			if (error === undefined) good.push(data);
			else bad += 1;
			for (const issue of error?.issues ?? []) {
				context.addIssue({ ...issue, path: [index, ...issue.path] });
			}
			if (bad === REPORTED_ENTRIES) break;
		}
		return good;
	});
