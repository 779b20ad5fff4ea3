import {
	nextCursor,
	readChange,
	readCursor,
	readNewRows,
	readNewTable,
	readQuery,
	readRowFilter,
	type TablesRequest,
} from './requests';
import type { Table } from './table';
import type { Scope, Tables } from './tables';
import { Refusal } from './values';

/** Makes a change: what was prepared is committed a moment later. */
type Write = <T>(prepare: () => () => T) => Promise<T>;

interface Call {
	readonly tables: Tables;
	readonly request: TablesRequest;
	readonly query: URLSearchParams;
	/** The table that the path names. */
	readonly table: Table;
	readonly write: Write;
}

interface Answer {
	readonly status: number;
	readonly body: unknown;
}

interface Route {
	readonly method: string;
	readonly path: RegExp;
	readonly scope: Scope;
	readonly query?: readonly string[];
	readonly handle: (call: Call) => Answer | Promise<Answer>;
}

const ok = (body: unknown): Answer => ({ status: 200, body });

const ROUTES: readonly Route[] = [
	{
		method: 'GET',
		path: /^\/data-tables$/,
		scope: 'dataTable:list',
		query: ['limit', 'filter'],
		handle: ({ tables, query }) => ok({ data: tables.list(query), nextCursor: null }),
	},
	{
		method: 'POST',
		path: /^\/data-tables$/,
		scope: 'dataTable:create',
		handle: ({ tables, request }) => {
			const { name, columns } = readNewTable(request);
			const types = new Map(columns.map((column) => [column.name, column.type]));
			return { status: 201, body: tables.create(name, types).listed };
		},
	},
	{
		method: 'GET',
		path: /^\/data-tables\/([^/]+)\/rows$/,
		scope: 'dataTableRow:read',
		query: ['cursor', 'filter', 'sortBy'],
		handle: ({ query, table }) => {
			const page = readCursor(query);
			const rows = table.find(readRowFilter(query), query.get('sortBy'));
			const data = rows.slice(page.offset, page.offset + page.limit);
			return ok({ data, nextCursor: nextCursor(page, rows.length) });
		},
	},
	{
		method: 'POST',
		path: /^\/data-tables\/([^/]+)\/rows$/,
		scope: 'dataTableRow:create',
		handle: async ({ request, table, write }) => {
			const { data } = readNewRows(request);
			await write(() => table.prepare(data));
			return ok({ success: true, insertedRows: data.length });
		},
	},
	{
		method: 'PATCH',
		path: /^\/data-tables\/([^/]+)\/rows\/update$/,
		scope: 'dataTableRow:update',
		handle: async ({ request, table, write }) => {
			const { filter, data } = readChange(request);
			await write(() => () => table.update(filter, data));
			return ok(true);
		},
	},
	{
		method: 'DELETE',
		path: /^\/data-tables\/([^/]+)\/rows\/delete$/,
		scope: 'dataTableRow:delete',
		query: ['filter', 'returnData'],
		handle: async ({ query, table, write }) => {
			const filter = readRowFilter(query);
			return ok(await write(() => () => table.remove(filter)));
		},
	},
];

/** @throws Refusal if n8n does not do it */
export async function serve(tables: Tables, request: TablesRequest, write: Write): Promise<Answer> {
	const routes = ROUTES.filter(({ path }) => path.test(request.path));
	const route = routes.find(({ method }) => method === request.method);
	if (routes.length === 0) throw new Refusal(404, 'not found');
	if (route === undefined) throw new Refusal(405, `${request.method} method not allowed`);
	const scopes = tables.scopesOf(request.key);
	const [, tableId] = route.path.exec(request.path) ?? [];
	const query = readQuery(request.query, route.query ?? []);
	if (!scopes.has(route.scope)) throw new Refusal(403, 'Forbidden');
	return await route.handle({
		...{ tables, request, query, write },
		get table() {
			return tables.byId(tableId);
		},
	});
}
