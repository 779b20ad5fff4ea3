import { z } from 'zod';
import { Refusal, type Cell } from './values';

export interface TablesRequest {
	readonly method: string;
	/** Without /api/v1 and the query. */
	readonly path: string;
	/** Raw, without the question mark. */
	readonly query: string;
	readonly key: string | undefined;
	readonly contentType: string | undefined;
	readonly body: unknown;
	/** What was answered; undefined while nothing is, and when the connection was cut. */
	status: number | undefined;
}

type Schema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

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

function readAs<T>(schema: Schema<T>, json: string, otherwise: string): T {
	try {
		return schema.parse(JSON.parse(json));
	} catch {
		throw bad(otherwise);
	}
}

/** Which of the rows that were found a request wants. */
interface Page {
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
	total > offset + limit ? btoa(JSON.stringify({ limit, offset: offset + limit })) : null;

const columnName = z.string().regex(/^[a-zA-Z][a-zA-Z0-9_]{0,62}$/);
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

const tableFilter = z.object({ id: z.string().optional(), name: z.string().optional() }).strict();

const filterOf =
	<T>(schema: Schema<T>) =>
	(query: URLSearchParams): T =>
		readAs(schema, query.get('filter') ?? '', 'Invalid filter fields');

export const readRowFilter = filterOf(rowFilter);
export const readTableFilter = filterOf(tableFilter);

/** @throws Refusal for a body that the contact book does not send */
const bodyOf =
	<T>(schema: Schema<T>) =>
	({ contentType, body }: TablesRequest): T => {
		if (!contentType?.startsWith('application/json'))
			throw new Refusal(415, `unsupported media type ${String(contentType)}`);
		const read = schema.safeParse(body);
		if (read.success) return read.data;
		throw bad(read.error.errors[0]?.message ?? 'Invalid request body');
	};

const column = z.object({
	name: columnName,
	type: z.enum(['string', 'number', 'boolean', 'date']),
});

export const readNewTable = bodyOf(
	z.object({ name: z.string().trim().min(1).max(128), columns: z.array(column) }).strict(),
);
export const readNewRows = bodyOf(
	z.object({ data: z.array(cells).min(1), returnType: z.literal('count') }).strict(),
);
export const readChange = bodyOf(
	z
		.object({
			filter: rowFilter,
			data: cells.refine((data) => Object.keys(data).length > 0, 'data must not be empty'),
		})
		.strict(),
);
