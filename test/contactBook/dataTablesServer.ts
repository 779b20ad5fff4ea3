import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { jsonReply } from '../simulator/reply';
import { send } from '../simulator/server';
import { serve, type TablesRequest } from './dataTables/routes';
import type { Table } from './dataTables/table';
import { SCOPES, Tables, type Scope } from './dataTables/tables';
import { Refusal, type ColumnType } from './dataTables/values';

const PREFIX = '/api/v1';

/**
 * A moment in the life of a request: before n8n looks at it; when it has run its statement, so that rows have their IDs
 * and nobody else sees them; when all is done and only the answer is missing.
 */
export type Moment = 'arrival' | 'commit' | 'answer';

/** Something that goes wrong. */
export interface TablesFault {
	/** Default: every request. */
	readonly when?: (request: TablesRequest) => boolean;
	/** How many requests it hits; default: all. */
	readonly times?: number;
	/** Default: arrival, so that nothing was done. At a commit, what the statement did is undone. */
	readonly at?: Moment;
	/** Default: the connection is cut. */
	readonly answer?: { readonly status: number; readonly body?: unknown };
}

export interface DataTablesOptions {
	/** Default: sqlite, where one change waits for the other. */
	readonly database?: 'sqlite' | 'postgres';
}

/** A server that behaves like n8n 2.41 with Data Tables, for everything that a contact book asks of it. */
export interface DataTables {
	/** Without /api/v1. */
	readonly baseUrl: string;
	/** With all scopes. */
	readonly apiKey: string;
	readonly keyWithout: (...scopes: Scope[]) => string;
	/** In the order of their arrival. */
	readonly requests: TablesRequest[];
	/** The table of this name. @throws Error if there is none */
	readonly table: (name: string) => Table;
	readonly hasTable: (name: string) => boolean;
	readonly createTable: (name: string, columns: Readonly<Record<string, ColumnType>>) => Table;
	readonly dropTable: (name: string) => void;
	/** Whether inserts and updates are refused, because the tables are too large. */
	readonly setFull: (isFull: boolean) => void;
	/** Adds a fault; the ones that were added first come first. */
	readonly fail: (fault: TablesFault) => void;
	readonly clearFaults: () => void;
	/** Holds every request at every moment until what is given is over; undefined: no more. */
	readonly holdAt: (hold: Hold | undefined) => void;
	/** Closes every connection. */
	readonly stop: () => Promise<void>;
}

type Hold = (moment: Moment, request: TablesRequest) => Promise<unknown> | undefined;

class Cut extends Error {}

/** Starts such a server on a free loopback port. */
export async function startDataTables({
	database = 'sqlite',
}: DataTablesOptions = {}): Promise<DataTables> {
	const tables = new Tables();
	const requests: TablesRequest[] = [];
	let faults: { fault: TablesFault; left: number }[] = [];
	let hold: Hold | undefined;

	/** @throws Refusal and Cut, when a fault hits the request */
	const pass = async (moment: Moment, request: TablesRequest): Promise<void> => {
		await hold?.(moment, request);
		const hit = faults.find(
			({ fault: { at = 'arrival', when }, left }) =>
				left > 0 && at === moment && (when?.(request) ?? true),
		);
		if (!hit) return;
		hit.left -= 1;
		const { answer } = hit.fault;
		throw answer ? new FaultAnswer(answer) : new Cut();
	};

	let lastWrite: Promise<unknown> = Promise.resolve();
	const writer =
		(request: TablesRequest) =>
		async <T>(statement: () => T, commit?: (result: T) => void): Promise<T> => {
			const write = async (): Promise<T> => {
				if (commit) {
					const result = statement();
					await pass('commit', request);
					commit(result);
					return result;
				}
				await pass('commit', request);
				return statement();
			};
			if (database === 'postgres') return await write();
			const written = lastWrite.then(write);
			lastWrite = written.catch(() => undefined);
			return await written;
		};

	const replyTo = async (request: TablesRequest) => {
		try {
			await pass('arrival', request);
			const { status, body } = await serve({ tables, request, write: writer(request) });
			await pass('answer', request);
			return jsonReply(status, body);
		} catch (error) {
			if (error instanceof FaultAnswer) return error.reply;
			if (error instanceof Cut) return { ...jsonReply(500, {}), ending: 'reset' as const };
			if (error instanceof Refusal) return jsonReply(error.status, { message: error.message });
			throw error;
		}
	};

	const receive = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
		const request = await read(incoming);
		requests.push(request);
		const reply = await replyTo(request);
		if (send(response, reply)) request.status = reply.status;
	};

	const server = createServer((incoming, response) => void receive(incoming, response));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No port was given');

	const table = (name: string): Table => {
		const found = tables.find(name);
		if (!found) throw new Error(`There is no table "${name}"`);
		return found;
	};
	return {
		baseUrl: `http://127.0.0.1:${address.port}`,
		apiKey: tables.keyWith(SCOPES),
		keyWithout: (...scopes) => tables.keyWith(SCOPES.filter((scope) => !scopes.includes(scope))),
		requests,
		table,
		hasTable: (name) => tables.find(name) !== undefined,
		createTable: (name, columns) => {
			tables.create({
				name,
				columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
			});
			return table(name);
		},
		dropTable: (name) => {
			tables.drop(table(name).id);
		},
		setFull: (isFull) => {
			tables.isFull = isFull;
		},
		fail: (fault) => {
			faults.push({ fault, left: fault.times ?? Infinity });
		},
		clearFaults: () => {
			faults = [];
		},
		holdAt: (next) => {
			hold = next;
		},
		stop: async () => {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
		},
	};
}

class FaultAnswer extends Error {
	readonly reply;

	constructor({
		status,
		body = { message: 'Internal server error' },
	}: {
		status: number;
		body?: unknown;
	}) {
		super();
		this.reply =
			typeof body === 'string'
				? { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
				: jsonReply(status, body);
	}
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
