import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../loopback';
import { RateLimiter } from '../simulator/rateLimiter';
import { jsonReply, type Reply } from '../simulator/reply';
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
type Moment = 'arrival' | 'commit' | 'answer';

export interface TablesFault {
	/** Default: every request. */
	readonly when?: (request: TablesRequest) => boolean;
	/** How many requests it hits; default: all. */
	readonly times?: number;
	/** Default: arrival, so that nothing was done. At a commit, what the statement did is undone. */
	readonly at?: Moment;
	/** Default: the connection is cut. */
	readonly answer?: {
		readonly status: number;
		readonly body?: unknown;
		readonly headers?: Record<string, string>;
	};
}

export interface DataTablesOptions {
	/** Default: sqlite, where one change waits for the other. */
	readonly database?: 'sqlite' | 'postgres';
}

export type DataTables = Awaited<ReturnType<typeof startDataTables>>;

type Hold = (moment: Moment, request: TablesRequest) => Promise<unknown> | undefined;

class Spoiled extends Error {
	readonly reply: Reply;

	constructor({ answer }: TablesFault) {
		super();
		const {
			status,
			body = { message: 'Internal server error' },
			headers,
		} = answer ?? { status: 500 };
		const reply = jsonReply(status, body, headers);
		this.reply = answer ? reply : { ...reply, ending: 'reset' };
	}
}

/** Starts a server that behaves like n8n 2.41 with Data Tables, for everything that a contact book asks of it. */
export async function startDataTables({ database = 'sqlite' }: DataTablesOptions = {}) {
	const tables = new Tables();
	const requests: TablesRequest[] = [];
	let faults: { fault: TablesFault; left: number }[] = [];
	let hold: Hold | undefined;
	let limiter: RateLimiter | undefined;

	const pass = async (moment: Moment, request: TablesRequest): Promise<void> => {
		await hold?.(moment, request);
		const hit = faults.find(
			({ fault: { at = 'arrival', when }, left }) =>
				left > 0 && at === moment && (when?.(request) ?? true),
		);
		if (!hit) return;
		hit.left -= 1;
		throw new Spoiled(hit.fault);
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

	const replyTo = async (request: TablesRequest): Promise<Reply> => {
		try {
			await pass('arrival', request);
			// As n8n from 2.47 on: what is refused does not count, and is not done.
			const wait = limiter?.secondsToWait(Date.now()) ?? 0;
			if (wait > 0)
				return jsonReply(429, { message: 'Too many requests' }, { 'retry-after': String(wait) });
			const { status, body } = await serve({ tables, request, write: writer(request) });
			await pass('answer', request);
			return jsonReply(status, body);
		} catch (error) {
			if (error instanceof Spoiled) return error.reply;
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
	const { baseUrl, stop } = await listen(server);

	const table = (name: string): Table => {
		const found = tables.find(name);
		if (!found) throw new Error(`There is no table "${name}"`);
		return found;
	};
	return {
		/** Without /api/v1. */
		baseUrl,
		apiKey: tables.keyWith(SCOPES),
		keyWithout: (...scopes: Scope[]) =>
			tables.keyWith(SCOPES.filter((scope) => !scopes.includes(scope))),
		requests,
		table,
		hasTable: (name: string) => tables.find(name) !== undefined,
		createTable: (name: string, columns: Readonly<Record<string, ColumnType>>) =>
			tables.create({
				name,
				columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
			}),
		setFull: (isFull: boolean) => {
			tables.isFull = isFull;
		},
		/** Limits all requests together. n8n counts those that read and those that write apart, and by the key. */
		setLimit: (requestsPerSecond: number | undefined) => {
			limiter = requestsPerSecond === undefined ? undefined : new RateLimiter(requestsPerSecond);
		},
		/** Adds a fault; the ones that were added first come first. */
		fail: (fault: TablesFault) => {
			faults.push({ fault, left: fault.times ?? Infinity });
		},
		clearFaults: () => {
			faults = [];
		},
		/** Holds every request at every moment until what is given is over; undefined: no more. */
		holdAt: (next: Hold | undefined) => {
			hold = next;
		},
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
