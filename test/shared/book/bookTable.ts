import { unreachable } from '../../../nodes/shared/book/bookTransport';
import { COLUMNS } from '../../../nodes/shared/book/columns';
import type { ApiRequest, ApiSend } from '../../../nodes/shared/book/tableApi';
import { serve } from '../../contactBook/dataTables/routes';
import { SCOPES, Tables } from '../../contactBook/dataTables/tables';
import type { DataTables } from '../../contactBook/dataTablesServer';

export const TABLE = 'Contact book';

export type BookTable = ReturnType<typeof startTable>;

/** The Data Table of a book, asked without a server. */
export function startTable() {
	const tables = new Tables();
	const key = tables.keyWith(SCOPES);
	const columns = Object.entries(COLUMNS).map(([name, type]) => ({ name, type }));
	const table = tables.create({ name: TABLE, columns });
	/** @param pause after which a change is committed; an insert gives its IDs before it, as in PostgreSQL */
	const ask = async (request: ApiRequest, pause = () => Promise.resolve()) => {
		const [path = '', query = ''] = request.path.split('?');
		const { method, body } = request;
		const write = async <T>(statement: () => T, commit?: (result: T) => void): Promise<T> => {
			const inserted = commit && statement();
			await pause();
			const result = inserted ?? statement();
			commit?.(result);
			return result;
		};
		const contentType = 'application/json';
		return await serve({
			...{ tables, write },
			request: { method, path, query, key, contentType, body, status: undefined },
		});
	};
	return { table, ask };
}

/** Sends to a server as the node does through n8n, with this key. */
export const sendTo =
	({ baseUrl, apiKey }: Pick<DataTables, 'baseUrl' | 'apiKey'>): ApiSend =>
	async ({ method, path, body }) => {
		const headers = { 'X-N8N-API-KEY': apiKey, 'content-type': 'application/json' };
		const text = body && JSON.stringify(body);
		try {
			const answer = await fetch(`${baseUrl}/api/v1${path}`, {
				method,
				headers,
				...(text !== undefined && { body: text }),
			});
			return { status: answer.status, body: await answer.json() };
		} catch (error) {
			throw unreachable(error);
		}
	};
