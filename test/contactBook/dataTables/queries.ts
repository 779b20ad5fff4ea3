import { z } from 'zod';
import { BODIES, problemOf } from './schemas';
import type { Filter, Sorting } from './filters';
import { Refusal, type Cell } from './values';

/** How a request asks for its rows or tables. */
export interface Page {
	readonly limit: number;
	readonly offset: number;
	readonly filter: unknown;
	readonly sortBy: string | undefined;
}

/** A character that n8n wants encoded, also those that encodeURIComponent leaves. A blank as "+" is one of them. */
const RESERVED = /[:/#[\]@!$&'()*+,;=]/;
const MAX_LIMIT = 250;

const bad = (message: string): Refusal => new Refusal(400, message);

/** @throws Refusal 400 for a query that n8n's specification does not allow */
export function checkQuery(query: string, allowed: readonly string[]): URLSearchParams {
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
	const limit = values.get('limit');
	if (limit !== null && (Number.isNaN(Number(limit)) || values.getAll('limit').length > 1))
		throw bad('request/query/limit must be number');
	if (Number(limit) > MAX_LIMIT) throw bad(`request/query/limit must be <= ${MAX_LIMIT}`);
	if (parsed(values.get('filter') ?? '{}') === undefined)
		throw bad('request/query/filter must match format "jsonString"');
	return values;
}

function parsed(json: string): unknown {
	try {
		return JSON.parse(json) as unknown;
	} catch {
		return undefined;
	}
}

const number = z.union([z.string(), z.number()]).optional();
const cursorSchema = z.object({ limit: number, offset: number });
type Asked = z.output<typeof cursorSchema>;

/**
 * The page that a query asks for. A cursor counts more than a limit.
 * @throws Refusal 400 for a cursor that cannot be read, and for negative numbers
 */
export function pageOf(query: URLSearchParams): Page {
	const cursor = query.get('cursor');
	const asked: Asked =
		cursor === null ? { limit: query.get('limit') ?? undefined } : readCursor(cursor);
	const asNumber = (name: 'limit' | 'offset', otherwise: number): number => {
		const value = asked[name] ?? otherwise;
		const read = parseInt(String(value), 10);
		if (Number.isNaN(read)) throw bad(`Param \`${name}\` must be a valid integer`);
		if (read < 0) throw bad(`Param \`${name}\` must be a non-negative integer`);
		return read;
	};
	return {
		offset: asNumber('offset', 0),
		limit: Math.min(asNumber('limit', 100), MAX_LIMIT),
		filter: parsed(query.get('filter') ?? ''),
		sortBy: query.get('sortBy') ?? undefined,
	};
}

function readCursor(cursor: string): Asked {
	const read = cursorSchema.safeParse(parsed(Buffer.from(cursor, 'base64').toString()));
	if (!read.success) throw bad('An invalid cursor was provided');
	return read.data;
}

/** The cursor of the next page, null at the end. A limit of 0 means all, and is followed by itself. */
export const nextCursor = ({ limit, offset }: Page, total: number): string | null =>
	total > offset + limit
		? Buffer.from(JSON.stringify({ limit, offset: offset + limit })).toString('base64')
		: null;

const columnName = z
	.string()
	.trim()
	.min(1)
	.max(63)
	.regex(
		/^[a-zA-Z][a-zA-Z0-9_]*$/,
		'Only alphabetical characters and non-leading numbers and underscores are allowed for column names, and the maximum length is 63 characters.',
	);
const columnType = z.enum(['string', 'number', 'boolean', 'date']);
const cell: z.ZodType<Cell> = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const cells = z.record(columnName, cell);
const entry = z.object({
	columnName,
	condition: z
		.enum(['eq', 'neq', 'like', 'ilike', 'gt', 'gte', 'lt', 'lte', 'isEmpty', 'isNotEmpty'])
		.default('eq'),
	value: cell,
});
const filterSchema = z.object({
	type: z.enum(['and', 'or']).default('and'),
	filters: z.array(entry).default([]),
});
const text = z.union([z.string(), z.array(z.string())]);
const tableFilterSchema = z
	.object({ id: text.optional(), name: text.optional(), projectId: z.string().optional() })
	.strict();

const readers = {
	createTable: z.object({
		name: z.string().trim().min(1).max(128),
		columns: z.array(z.object({ name: columnName, type: columnType })),
	}),
	createColumn: z.object({ name: columnName, type: columnType }),
	insertRows: z.object({
		data: z.array(cells),
		returnType: z.enum(['all', 'count', 'id']).default('count'),
	}),
	updateRows: z.object({
		filter: filterSchema,
		data: cells.refine((data) => Object.keys(data).length > 0, 'data must not be empty'),
		returnData: z.boolean().default(false),
		dryRun: z.boolean().default(false),
	}),
};

export type BodyName = keyof typeof BODIES;
export type Body<N extends BodyName> = z.output<(typeof readers)[N]>;

/** @throws Refusal 415 and 400, before n8n looks at the scopes of a key */
export function checkBody(name: BodyName, contentType: string | undefined, body: unknown): void {
	if (!contentType?.startsWith('application/json'))
		throw new Refusal(415, `unsupported media type ${String(contentType)}`);
	const problem = problemOf(BODIES[name], body, 'request/body');
	if (problem !== undefined) throw bad(problem);
}

/** @throws Refusal 400, after n8n has looked at the scopes of a key */
export function readBodyAs<N extends BodyName>(name: N, body: unknown): Body<N> {
	const schema: z.ZodType<Body<N>, z.ZodTypeDef, unknown> = readers[name];
	const read = schema.safeParse(body);
	if (read.success) return read.data;
	throw bad(read.error.errors[0]?.message ?? 'Invalid request body');
}

function readFilterAs<T>(schema: z.ZodType<T, z.ZodTypeDef, unknown>, filter: unknown): T {
	const read = schema.safeParse(filter ?? {});
	if (!read.success) throw bad('Invalid filter fields');
	return read.data;
}

/** @throws Refusal 400 for a filter of another form */
export const readFilter = ({ filter }: Page): Filter => readFilterAs(filterSchema, filter);

/** @throws Refusal 400 for a filter of another form */
export const readTableFilter = ({ filter }: Page): z.output<typeof tableFilterSchema> =>
	readFilterAs(tableFilterSchema, filter);

/** @throws Refusal 400 for what is not <column>:<asc|desc> */
export function readSorting({ sortBy = 'id:asc' }: Page): Sorting {
	if (!sortBy.includes(':')) throw bad('Invalid sort format, expected <columnName>:<asc/desc>');
	const [column, direction = ''] = sortBy.split(':');
	const name = columnName.safeParse(column);
	if (!name.success) throw bad(name.error.errors[0]?.message ?? 'Invalid sort columnName');
	const upper = direction.toUpperCase();
	if (upper !== 'ASC' && upper !== 'DESC') throw bad('Invalid sort direction');
	return [name.data, upper];
}
