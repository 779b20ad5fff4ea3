import { unreachable } from '../../../nodes/shared/book/bookTransport';
import { COLUMNS } from '../../../nodes/shared/book/columns';
import type { ApiRequest, ApiSend } from '../../../nodes/shared/book/tableApi';
import { TABLE } from '../../contactBook/bookFields';
import { createDataTables } from '../../contactBook/dataTables/dataTables';
import type { DataTables } from '../../contactBook/dataTablesServer';

export type BookTable = ReturnType<typeof startTable>;

/** The Data Table of a book, asked without a server. */
export function startTable() {
	const { answer, apiKey: key, createTable } = createDataTables({ database: 'postgres' });
	const table = createTable(TABLE, COLUMNS);
	/** @param pause after which a change is committed; an insert gives its IDs before it */
	const ask = async ({ method, body, ...sent }: ApiRequest, pause = () => Promise.resolve()) => {
		const [path = '', query = ''] = sent.path.split('?');
		const contentType = 'application/json';
		const reply = await answer(
			{ method, path, query, key, contentType, body, status: undefined },
			(moment) => (moment === 'commit' ? pause() : undefined),
		);
		return { status: reply.status, body: JSON.parse(reply.body) as unknown };
	};
	return { table, ask };
}

/** Sends to a server as the node does through n8n, with this key. */
export const sendTo =
	({ baseUrl, apiKey }: Pick<DataTables, 'baseUrl' | 'apiKey'>): ApiSend =>
	async ({ method, path, body }) => {
		const headers = { 'X-N8N-API-KEY': apiKey, 'content-type': 'application/json' };
		try {
			const answer = await fetch(`${baseUrl}/api/v1${path}`, {
				method,
				headers,
				...(body && { body: JSON.stringify(body) }),
			});
			return { status: answer.status, body: await answer.json() };
		} catch (error) {
			throw unreachable(error);
		}
	};
