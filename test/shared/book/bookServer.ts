import { unreachable } from '../../../nodes/shared/book/bookTransport';
import type { ApiSend } from '../../../nodes/shared/book/tableApi';
import type { DataTables } from '../../contactBook/dataTablesServer';

export const TABLE = 'Contact book';

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
