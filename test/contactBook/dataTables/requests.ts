import { z } from 'zod';
import { Refusal, type Cell } from './values';

/** A character that n8n wants encoded, also those that encodeURIComponent leaves. A blank as "+" is one of them. */
const RESERVED = /[:/#[\]@!$&'()*+,;=]/;
/** Of rows and tables in an answer. */
const MAX_LIMIT = 250;

const bad = (message: string): Refusal => new Refusal(400, message);

/** @throws Refusal 400 for a query that n8n's specification does not allow */
export function readQuery(query: string, allowed: readonly string[]): URLSearchParams {
	for (const pair of query === '' ? [] : query.split('&')) {
		const [name = '', ...rest] = pair.split('=');
		const value = rest.join('=');
		if (!allowed.includes(name)) throw bad(`Unknown query parameter '${name}'`);
		if (value === '') throw bad(`Empty value found for query parameter '${name}'`);
		if (RESERVED.test(value)) {
			throw bad(
				`Parameter '${name}' must be url encoded. Its value may not contain reserved characters.`,
			);
		}
	}
	const values = new URLSearchParams(query);
	if (Number(values.get('limit')) > MAX_LIMIT)
		throw bad(`request/query/limit must be <= ${MAX_LIMIT}`);
	return values;
}

function readAs<T>(schema: z.ZodType<T, z.ZodTypeDef, unknown>, json: string, otherwise: string) {
	try {
		return schema.parse(JSON.parse(json));
	} catch {
		throw bad(otherwise);
	}
}

/** Which of the rows that were found a request wants. */
export interface Page {
	readonly limit: number;
	readonly offset: number;
}

const wholeNumber = z.number().int().nonnegative();
const cursorSchema = z.object({ limit: wholeNumber.max(MAX_LIMIT), offset: wholeNumber });

export const readCursor = (query: URLSearchParams): Page =>
	readAs(
		cursorSchema,
		Buffer.from(query.get('cursor') ?? '', 'base64').toString(),
		'An invalid cursor was provided',
	);

/** The cursor of the next page, null at the end. */
export const nextCursor = ({ limit, offset }: Page, total: number): string | null =>
	total > offset + limit
		? Buffer.from(JSON.stringify({ limit, offset: offset + limit })).toString('base64')
		: null;

const columnName = z.string().regex(/^[a-zA-Z][a-zA-Z0-9_]{0,62}$/);
const column = z.object({
	name: columnName,
	type: z.enum(['string', 'number', 'boolean', 'date']),
});
const cell: z.ZodType<Cell> = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const cells = z.record(columnName, cell);

/**
 * The contact book asks for equal values, null for an empty cell, and for cells that are not empty. n8n knows more:
 * other values, likeness and order.
 */
const entry = z.union([
	z.object({ columnName, condition: z.literal('eq'), value: cell }).strict(),
	z.object({ columnName, condition: z.literal('neq'), value: z.null() }).strict(),
]);
const rowFilter = z
	.object({ type: z.enum(['or', 'and']), filters: z.array(entry).min(1) })
	.strict();

/** The rows of which one entry holds, or all. */
export type RowFilter = z.output<typeof rowFilter>;

const text = z.string().optional();
const tableFilter = z.object({ id: text, name: text }).strict();

export const readRowFilter = (query: URLSearchParams): RowFilter =>
	readAs(rowFilter, query.get('filter') ?? '', 'Invalid filter fields');

export const readTableFilter = (query: URLSearchParams): z.output<typeof tableFilter> =>
	readAs(tableFilter, query.get('filter') ?? '', 'Invalid filter fields');

/** The bodies that the contact book sends, and no others. */
const BODIES = {
	createTable: z
		.object({ name: z.string().trim().min(1).max(128), columns: z.array(column) })
		.strict(),
	insertRows: z.object({ data: z.array(cells).min(1), returnType: z.literal('count') }).strict(),
	updateRows: z
		.object({
			filter: rowFilter,
			data: cells.refine((data) => Object.keys(data).length > 0, 'data must not be empty'),
		})
		.strict(),
};

type BodyName = keyof typeof BODIES;
export type Body<N extends BodyName> = z.output<(typeof BODIES)[N]>;

export function readBody<N extends BodyName>(
	name: N,
	contentType: string | undefined,
	body: unknown,
): Body<N> {
	if (!contentType?.startsWith('application/json'))
		throw new Refusal(415, `unsupported media type ${String(contentType)}`);
	const schema: z.ZodType<Body<N>, z.ZodTypeDef, unknown> = BODIES[name];
	const read = schema.safeParse(body);
	if (read.success) return read.data;
	throw bad(read.error.errors[0]?.message ?? 'Invalid request body');
}
