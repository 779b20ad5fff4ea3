import { nextCursor, readBody, readCursor, readQuery, readRowFilter } from './requests';
import type { Table } from './table';
import { asListed, type Scope, type Tables } from './tables';
import { Refusal } from './values';

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

interface Context {
	readonly tables: Tables;
	readonly request: TablesRequest;
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
	readonly scope: Scope;
	readonly query?: readonly string[];
	readonly handle: (
		context: Context,
		query: URLSearchParams,
		table: () => Table,
	) => Answer | Promise<Answer>;
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const created = (body: unknown): Answer => ({ status: 201, body });

const ROUTES: readonly Route[] = [
	{
		method: 'GET',
		path: /^\/data-tables$/,
		scope: 'dataTable:list',
		query: ['limit', 'filter'],
		handle: ({ tables }, query) => ok({ data: tables.list(query), nextCursor: null }),
	},
	{
		method: 'POST',
		path: /^\/data-tables$/,
		scope: 'dataTable:create',
		handle: ({ tables, request: { contentType, body } }) =>
			created(asListed(tables.create(readBody('createTable', contentType, body)))),
	},
	{
		method: 'GET',
		path: /^\/data-tables\/([^/]+)\/rows$/,
		scope: 'dataTableRow:read',
		query: ['cursor', 'filter', 'sortBy'],
		handle: (_, query, table) => {
			const page = readCursor(query);
			const found = table().find(readRowFilter(query), query.get('sortBy'));
			const data = found.slice(page.offset, page.offset + page.limit);
			return ok({ data, nextCursor: nextCursor(page, found.length) });
		},
	},
	{
		method: 'POST',
		path: /^\/data-tables\/([^/]+)\/rows$/,
		scope: 'dataTableRow:create',
		handle: async ({ request: { contentType, body }, tables, write }, _, table) => {
			const { data } = readBody('insertRows', contentType, body);
			table();
			tables.checkSize();
			const rows = await write(
				() => table().insertStatement(data),
				(inserted) => {
					table().commit(inserted);
				},
			);
			return ok({ success: true, insertedRows: rows.length });
		},
	},
	{
		method: 'PATCH',
		path: /^\/data-tables\/([^/]+)\/rows\/update$/,
		scope: 'dataTableRow:update',
		handle: async ({ request: { contentType, body }, tables, write }, _, table) => {
			const { filter, data } = readBody('updateRows', contentType, body);
			table();
			tables.checkSize();
			await write(() => table().update(filter, data));
			return ok(true);
		},
	},
	{
		method: 'DELETE',
		path: /^\/data-tables\/([^/]+)\/rows\/delete$/,
		scope: 'dataTableRow:delete',
		query: ['filter', 'returnData'],
		handle: async ({ write }, query, table) => {
			const filter = readRowFilter(query);
			table();
			return ok(await write(() => table().remove(filter)));
		},
	},
];

export async function serve(context: Context): Promise<Answer> {
	const { request, tables } = context;
	const known = ROUTES.filter(({ path }) => path.test(request.path));
	const route = known.find(({ method }) => method === request.method);
	if (known.length === 0) throw new Refusal(404, 'not found');
	if (route === undefined) throw new Refusal(405, `${request.method} method not allowed`);
	const scopes = tables.scopesOf(request.key);
	const [, tableId = ''] = route.path.exec(request.path) ?? [];
	const query = readQuery(request.query, route.query ?? []);
	if (!scopes.has(route.scope)) throw new Refusal(403, 'Forbidden');
	return await route.handle(context, query, () => tables.byId(tableId));
}
