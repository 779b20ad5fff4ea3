import type { IDataObject } from 'n8n-workflow';
import { OWNER } from '../setup';
import { signIn } from '../signIn';

export interface DataTable {
	rows: () => Promise<IDataObject[]>;
}

/** A Data Table with text columns in the owner's own project, by n8n's REST API. */
export async function createDataTable(
	baseUrl: string,
	name: string,
	columns: string[],
): Promise<DataTable> {
	const http = await signIn(baseUrl, OWNER);
	const project = await http.get<{ data: { id: string } }>('/projects/personal');
	const tables = `/projects/${project.data.data.id}/data-tables`;
	const table = await http.post<{ data: { id: string } }>(tables, {
		name,
		columns: columns.map((column) => ({ name: column, type: 'string' })),
	});
	const rowsUrl = `${tables}/${table.data.data.id}/rows`;
	return {
		rows: async () => (await http.get<{ data: { data: IDataObject[] } }>(rowsUrl)).data.data.data,
	};
}
