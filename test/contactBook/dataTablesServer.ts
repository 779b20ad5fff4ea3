import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../loopback';
import { send } from '../simulator/server';
import { createDataTables, type DataTablesOptions } from './dataTables/dataTables';
import type { TablesRequest } from './dataTables/requests';

const PREFIX = '/api/v1';

export type DataTables = Awaited<ReturnType<typeof startDataTables>>;

/** Starts a server of Data Tables on a loopback port. */
export async function startDataTables(options?: DataTablesOptions) {
	const { answer, ...tables } = createDataTables(options);
	const requests: TablesRequest[] = [];

	const receive = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
		const request = await read(incoming);
		requests.push(request);
		const reply = await answer(request);
		if (send(response, reply)) request.status = reply.status;
	};

	const server = createServer((incoming, response) => void receive(incoming, response));
	const { baseUrl, stop } = await listen(server);
	return {
		...tables,
		/** Without /api/v1. */
		baseUrl,
		requests,
		stop,
	};
}

async function read(incoming: IncomingMessage): Promise<TablesRequest> {
	const { method = '', url = '', headers } = incoming;
	const [path = '', ...query] = url.split('?');
	const key = headers['x-n8n-api-key'];
	const rawBody = await text(incoming);
	return {
		method,
		path: path.startsWith(PREFIX) ? path.slice(PREFIX.length) : `not the API: ${path}`,
		query: query.join('?'),
		key: typeof key === 'string' ? key : undefined,
		contentType: headers['content-type'],
		body: rawBody === '' ? undefined : (JSON.parse(rawBody) as unknown),
		status: undefined,
	};
}
