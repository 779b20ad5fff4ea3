import type { IDataObject } from 'n8n-workflow';
import { COLUMNS } from '../nodes/shared/book/columns';
import { OWNER } from './setup';
import { signIn } from './signIn';

export type DataTable = Awaited<ReturnType<Awaited<ReturnType<typeof openDataTables>>['create']>>;

interface Found {
	count: number;
	data: IDataObject[];
}

interface SavedTable {
	id: string;
	name: string;
}

/** As many rows as n8n gives at once. */
const PAGE = 250;

/** All rows of a table, in pages, in the order in which they were added. */
export async function pagesOf({ find }: DataTable): Promise<IDataObject[][]> {
	const pages: IDataObject[][] = [];
	for (;;) {
		const skip = String(pages.length * PAGE);
		const { data, count } = await find({ sortBy: 'id:asc', take: String(PAGE), skip });
		pages.push(data);
		if (pages.length * PAGE >= count) return pages;
	}
}

/** The Data Tables of the owner's own project, by n8n's REST API. */
export async function openDataTables(baseUrl: string) {
	const http = await signIn(baseUrl, OWNER);
	const project = await http.get<{ data: { id: string } }>('/projects/personal');
	const tables = `/projects/${project.data.data.id}/data-tables`;
	const find = async (id: string, params = {}): Promise<Found> =>
		(await http.get<{ data: Found }>(`${tables}/${id}/rows`, { params })).data.data;
	const at = ({ id }: SavedTable) => ({
		id,
		/** Where the editor shows it. */
		page: `/projects/${project.data.data.id}/datatables/${id}`,
		rows: async () => (await find(id)).data,
		/** The rows that a query of n8n finds, and how many there are without its limit. */
		find: async (query: Record<string, string>) => await find(id, query),
		insert: async (...data: readonly IDataObject[]) => {
			await http.post(`${tables}/${id}/insert`, { data, returnType: 'count' });
		},
		update: async (rowId: unknown, data: IDataObject) => {
			const filters = [{ columnName: 'id', condition: 'eq', value: rowId }];
			await http.patch(`${tables}/${id}/rows`, { filter: { type: 'and', filters }, data });
		},
		clear: async () => {
			const filters = [{ columnName: 'id', condition: 'gt', value: 0 }];
			const filter = JSON.stringify({ type: 'and', filters });
			await http.delete(`${tables}/${id}/rows`, { params: { filter } });
		},
	});
	return {
		/** A new table with the columns of a contact book, or with these. */
		create: async (name: string, typed: Readonly<Record<string, string>> = COLUMNS) => {
			const columns = Object.entries(typed).map(([column, type]) => ({ name: column, type }));
			const { data } = await http.post<{ data: SavedTable }>(tables, { name, columns });
			return at(data.data);
		},
		find: async (name: string) => {
			const { data } = await http.get<{ data: { data: SavedTable[] } }>(tables);
			const found = data.data.data.find((table) => [table.name, table.id].includes(name));
			return found && at(found);
		},
	};
}
