import { Faults } from '../../simulator/faults';
import { RateLimiter } from '../../simulator/rateLimiter';
import { jsonReply, type Reply } from '../../simulator/reply';
import type { TablesRequest } from './requests';
import { serve } from './routes';
import type { Table } from './table';
import { Tables } from './tables';
import { Refusal, type ColumnType } from './values';

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

type Hold = (moment: Moment, request: TablesRequest) => Promise<unknown> | undefined;

class Spoiled extends Error {
	readonly reply: Reply;

	constructor({ answer }: TablesFault) {
		super();
		const { status = 500, body = { message: 'Internal server error' }, headers } = answer ?? {};
		this.reply = jsonReply(status, body, headers);
		if (!answer) this.reply.ending = 'reset';
	}
}

/** Data Tables that behave like those of n8n 2.41, for everything that a contact book asks of them. */
export function createDataTables({ database = 'sqlite' }: DataTablesOptions = {}) {
	const tables = new Tables();
	const faults = new Faults<TablesFault>();
	let hold: Hold | undefined;
	let limiter: RateLimiter | undefined;

	const passing =
		(request: TablesRequest, held: Hold) =>
		async (moment: Moment): Promise<void> => {
			await held(moment, request);
			const fault = faults.take(
				({ at = 'arrival', when }) => at === moment && (when?.(request) ?? true),
			);
			if (fault) throw new Spoiled(fault);
		};

	let lastWrite: Promise<unknown> = Promise.resolve();
	const writer =
		(pass: (moment: Moment) => Promise<void>) =>
		async <T>(prepare: () => () => T): Promise<T> => {
			const write = async (): Promise<T> => {
				const commit = prepare();
				await pass('commit');
				return commit();
			};
			if (database === 'postgres') return await write();
			const written = lastWrite.then(write);
			lastWrite = written.catch(() => undefined);
			return await written;
		};

	/** @param held what the request is held by, instead of what holds all */
	const answer = async (
		request: TablesRequest,
		held: Hold = (...at) => hold?.(...at),
	): Promise<Reply> => {
		const pass = passing(request, held);
		try {
			await pass('arrival');
			// As n8n from 2.47 on: what is refused does not count, and is not done.
			const wait = limiter?.secondsToWait(Date.now()) ?? 0;
			if (wait > 0)
				return jsonReply(429, { message: 'Too many requests' }, { 'retry-after': String(wait) });
			const { status, body } = await serve(tables, request, writer(pass));
			await pass('answer');
			return jsonReply(status, body);
		} catch (error) {
			if (error instanceof Spoiled) return error.reply;
			if (error instanceof Refusal) return jsonReply(error.status, { message: error.message });
			throw error;
		}
	};

	const table = (name: string): Table => {
		const named = tables.find(name);
		if (!named) throw new Error(`There is no table "${name}"`);
		return named;
	};
	return {
		answer,
		apiKey: tables.keyWithout(),
		keyWithout: tables.keyWithout.bind(tables),
		table,
		hasTable: (name: string) => tables.find(name) !== undefined,
		createTable: (name: string, columns: Readonly<Record<string, ColumnType>>) =>
			tables.create(name, new Map(Object.entries(columns))),
		/** Limits all requests together. n8n counts those that read and those that write apart, and by the key. */
		setLimit: (requestsPerSecond: number | undefined) => {
			limiter = requestsPerSecond === undefined ? undefined : new RateLimiter(requestsPerSecond);
		},
		/** Adds a fault; the ones that were added first come first. */
		fail: faults.add.bind(faults),
		clearFaults: faults.clear.bind(faults),
		/** Holds every request at every moment until what is given is over; undefined: no more. */
		holdAt: (next: Hold | undefined) => {
			hold = next;
		},
	};
}
