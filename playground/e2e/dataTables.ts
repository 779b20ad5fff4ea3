import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { OWNER } from '../setup';

export interface DataTable {
	rows: () => Promise<IDataObject[]>;
}

/** A Data Table with text columns in the owner's own project, by n8n's REST API. */
export async function createDataTable(
	baseUrl: string,
	name: string,
	columns: string[],
): Promise<DataTable> {
	const http = axios.create({
		baseURL: `${baseUrl}/rest`,
		proxy: false,
		headers: { 'browser-id': randomUUID() },
	});
	const login = await http.post('/login', {
		emailOrLdapLoginId: OWNER.email,
		password: OWNER.password,
	});
	const cookies = (login.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]);
	http.defaults.headers.common.cookie = cookies.join('; ');
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
