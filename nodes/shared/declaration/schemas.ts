import { z } from 'zod';

import { unexpected, type Parsed } from '../answer/valueFault';
import { isBlank, isDate, toPlainText } from '../values';
import { isoText, lostIn, readJson } from './json';

/** A zod schema that takes whatever the user or an expression gave and says what is sent. */
export type ValueSchema<T = unknown> = z.ZodType<T, z.ZodTypeDef, unknown>;

/** Makes a schema of a function that makes something of a value, or says what is wrong with it. */
export const parsedBy = <G, T>(schema: ValueSchema<G>, parse: (value: G) => Parsed<T>) =>
	schema.transform((value, context): T => {
		const parsed = parse(value);
		if (parsed.kind === 'read') return parsed.value;
		context.addIssue({ code: 'custom', fatal: true, message: parsed.problem, params: parsed });
		return z.NEVER;
	});

/** Makes text of an exact number and of a date (ISO 8601); anything else stays as it is. */
export function toText(value: unknown): unknown {
	if (typeof value === 'number')
		return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : value;
	return isDate(value) ? isoText(value) : value;
}

/** Text as it is sent: made of a value, with nothing lost unless it quotes; checked. */
const textOf = (schema: ValueSchema<string>, mayQuote = false): ValueSchema<string> =>
	z.preprocess((value, context) => {
		const text = toText(value);
		if (typeof text !== 'string') return text;
		const message = mayQuote && text === value ? undefined : lostIn(text);
		if (message !== undefined) context.addIssue({ code: 'custom', fatal: true, message });
		return text;
	}, schema);

/** Leaves blank values out of the request; others must satisfy the schema. */
export const optional = (schema: ValueSchema): ValueSchema =>
	z.preprocess((value) => (isBlank(value) ? undefined : value), schema.optional());

/** Reads a value that is one of those offered. */
export const oneOf = <T extends string>(...values: [T, ...T[]]): ValueSchema<T> =>
	z.enum(values, { message: `expected one of: ${values.join(', ')}` });

export const flag: ValueSchema<boolean> = z.boolean({ message: 'expected true or false' });

const NO_TEXT = { message: 'expected text' };
const EMPTY = 'expected text, but it is empty';

const trimmed = z.string(NO_TEXT).trim().min(1, EMPTY);

const filled = z.string(NO_TEXT).refine((value) => value.trim() !== '', EMPTY);

export const text = textOf(filled);

/** What somebody says, who may quote anything. */
export const quotedText = textOf(filled, true);

/** Text that may be missing, which is then the empty text. */
export const textOrEmpty: ValueSchema<string> = z.preprocess(
	(value) => (isBlank(value) ? '' : value),
	textOf(z.string(NO_TEXT)),
);

/** A name, a code or the like: text without white space around it. */
export const label = textOf(trimmed);

// The editor shows a list's errors without dashes: none here, nor a value, which a `regex` adds.
const NO_UUID = 'expected the whole ID of 36 characters';

/** An identifier that S 2.1 types as a UUID. Letters keep their case. */
export const uuid = textOf(
	z
		.string({ message: NO_UUID })
		.trim()
		.refine((value) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value), NO_UUID),
);

/**
 * An identifier in the service's or the client's own form (S 2.1). `.` and `..` cannot be sent:
 * they would change the path; nor can text that is not well-formed Unicode.
 */
export const identifier = textOf(
	z
		.string({ message: 'expected an ID as text' })
		.trim()
		.min(1, EMPTY)
		.refine((value) => !/^\.\.?$/.test(value), 'expected an ID other than "." and ".."')
		// Half of a surrogate pair cannot be encoded.
		.refine((value) => !/\p{Cs}/u.test(value), 'expected an ID of valid characters'),
);

/** A call's priority (S 4.4): 0 low, 1 medium, 2 high. */
export const priority: ValueSchema<number> = z.union([z.literal(0), z.literal(1), z.literal(2)], {
	errorMap: () => ({ message: 'expected 0 (low), 1 (medium) or 2 (high)' }),
});

/** The longest URL that is read, in characters: a host that is not ASCII takes quadratic time. */
const MAX_URL_LENGTH = 4_096;

const url = (pattern: RegExp, expected: string): ValueSchema<string> =>
	textOf(
		z
			.string({ message: 'expected a URL' })
			.trim()
			.refine(
				(value) => value.length <= MAX_URL_LENGTH && pattern.test(value) && URL.canParse(value),
				`expected a URL that starts with http:// or https://, ${expected}`,
			),
	);

export const webAddress = url(/^https?:\/\//i, `of at most ${MAX_URL_LENGTH} characters`);

/** The address before `/v1`; what comes behind a `?` or `#` would swallow the path. */
export const baseUrl = url(/^https?:\/\/[^?#]*$/i, 'without ? or #');

/** Text that an HTTP header carries unchanged. */
export const headerText = textOf(
	trimmed.regex(/^[\x20-\x7e]*$/, 'expected printable ASCII characters on one line'),
);

/** Reads a number within bounds, also as text. */
export const numberWithin = (min: number, max: number, isWhole = false): ValueSchema<number> => {
	const problem = `expected a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`;
	return parsedBy(z.unknown(), (value) => {
		const number = Number(toPlainText(value) || NaN);
		const isGood = number >= min && number <= max && (!isWhole || Number.isInteger(number));
		return isGood ? { kind: 'read', value: number } : unexpected(value, problem);
	});
};

/** Reads JSON as n8n gives it, as text or as an expression's value; see {@link readJson}. */
export const json = <T>(schema: ValueSchema<T>): ValueSchema<T> =>
	parsedBy(z.unknown(), readJson).pipe(schema);

/** Reads a list, each entry by the schema. Ten bad ones are reported: long lists take time. */
export const listOf = <T>(entry: ValueSchema<T>, message: string): ValueSchema<T[]> =>
	z.array(z.unknown(), { message }).transform((entries, context): T[] => {
		const good: T[] = [];
		for (const [index, value] of entries.entries()) {
			const { data, error } = entry.safeParse(value);
			if (error === undefined) good.push(data);
			for (const issue of error?.issues ?? [])
				context.addIssue({ ...issue, path: [index, ...issue.path] });
			if (index + 1 - good.length === 10) break;
		}
		return good;
	});
