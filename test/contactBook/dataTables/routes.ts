import {
	checkBody,
	checkQuery,
	nextCursor,
	pageOf,
	readBodyAs,
	readFilter,
	readSorting,
	type BodyName,
} from './queries';
import type { Table } from './table';
import type { Tables } from './tables';
import { Refusal } from './values';

/** A request as it came, and as the tests see it. */
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

/** What a handler needs beside the request. */
export interface Context {
	readonly tables: Tables;
	readonly request: TablesRequest;
	readonly query: URLSearchParams;
	/** Makes a change: what the statement gives is committed a moment later. */
	readonly write: <T>(statement: () => T, commit?: (result: T) => void) => Promise<T>;
}

export interface Answer {
	readonly status: number;
	readonly body: unknown;
}

interface Route {
	readonly method: string;
	readonly path: RegExp;
	readonly scope: string;
	readonly query?: readonly string[];
	readonly body?: BodyName;
	readonly handle: (context: Context, table: () => Table) => Answer | Promise<Answer>;
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const created = (body: unknown): Answer => ({ status: 201, body });

/** The part of n8n's public API that reads and writes Data Tables, without upsert and without taking away. */
const ROUTES: readonly Route[] = [
	{
		method: 'GET',
		path: /^\/data-tables$/,
		scope: 'dataTable:list',
		query: ['limit', 'cursor', 'filter', 'sortBy'],
		handle: ({ tables, query }) => {
			const page = pageOf(query);
			const found = tables.list(page);
			return ok({ data: cut(found, page), nextCursor: nextCursor(page, found.length) });
		},
	},
	{
		method: 'POST',
		path: /^\/data-tables$/,
		scope: 'dataTable:create',
		body: 'createTable',
		handle: ({ tables, request }) =>
			created(tables.create(readBodyAs('createTable', request.body))),
	},
	{
		method: 'GET',
		path: /^\/data-tables\/([^/]+)\/columns$/,
		scope: 'dataTableColumn:read',
		handle: (_, table) =>
			ok(table().columns.map((column) => ({ ...column, dataTableId: table().id }))),
	},
	{
		method: 'POST',
		path: /^\/data-tables\/([^/]+)\/columns$/,
		scope: 'dataTableColumn:create',
		body: 'createColumn',
		handle: ({ request }, table) => {
			const { id: dataTableId } = table();
			const { name, type } = readBodyAs('createColumn', request.body);
			return created({ ...table().addColumn(name, type), dataTableId });
		},
	},
	{
		method: 'GET',
		path: /^\/data-tables\/([^/]+)\/rows$/,
		scope: 'dataTableRow:read',
		query: ['limit', 'cursor', 'filter', 'sortBy', 'search'],
		handle: ({ query }, table) => {
			const page = pageOf(query);
			if (query.has('search')) throw new Error('A search is not part of this server');
			const found = table().find(readFilter(page), readSorting(page));
			return ok({ data: cut(found, page), nextCursor: nextCursor(page, found.length) });
		},
	},
	{
		method: 'POST',
		path: /^\/data-tables\/([^/]+)\/rows$/,
		scope: 'dataTableRow:create',
		body: 'insertRows',
		handle: async ({ request, tables, write }, table) => {
			const { data, returnType } = readBodyAs('insertRows', request.body);
			tables.checkSize();
			const rows = await write(
				() => table().insertStatement(data),
				(inserted) => {
					table().commit(inserted);
				},
			);
			if (returnType === 'count') return ok({ success: true, insertedRows: rows.length });
			return ok(returnType === 'id' ? rows.map(({ id }) => ({ id })) : rows);
		},
	},
	{
		method: 'PATCH',
		path: /^\/data-tables\/([^/]+)\/rows\/update$/,
		scope: 'dataTableRow:update',
		body: 'updateRows',
		handle: async ({ request, tables, write }, table) => {
			const { filter, data, returnData, dryRun } = readBodyAs('updateRows', request.body);
			tables.checkSize();
			const { before, after } = await write(() => table().update(filter, data, dryRun));
			if (!dryRun) return ok(returnData ? after : true);
			const states = before.flatMap((row, index) => [
				{ ...row, dryRunState: 'before' },
				{ ...after[index], dryRunState: 'after' },
			]);
			return ok(states);
		},
	},
];

const cut = <T>(found: readonly T[], { limit, offset }: { limit: number; offset: number }): T[] =>
	found.slice(offset, limit === 0 ? undefined : offset + limit);

/**
 * What the API answers, in the order in which n8n looks at a request: path, key, form, scope, table, values.
 * @throws Refusal with the status and the text
 */
export async function serve(context: Omit<Context, 'query'>): Promise<Answer> {
	const { request, tables } = context;
	const known = ROUTES.filter(({ path }) => path.test(request.path));
	const route = known.find(({ method }) => method === request.method);
	if (known.length === 0) throw new Refusal(404, 'not found');
	if (route === undefined) throw new Refusal(405, `${request.method} method not allowed`);
	const scopes = tables.scopesOf(request.key);
	const [, tableId] = route.path.exec(request.path) ?? [];
	const query = checkQuery(request.query, route.query ?? []);
	if (tableId !== undefined && !/^[A-Za-z0-9]{16}$/.test(tableId))
		throw new Refusal(400, 'request/params/dataTableId must match format "nanoid"');
	if (route.body) checkBody(route.body, request.contentType, request.body);
	if (!scopes.has(route.scope)) throw new Refusal(403, 'Forbidden');
	const table = () => tables.byId(tableId ?? '');
	if (tableId !== undefined) table();
	return await route.handle({ ...context, query }, table);
}
