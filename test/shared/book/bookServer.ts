import { Book } from '../../../nodes/shared/book/book';
import { unreachable } from '../../../nodes/shared/book/bookTransport';
import type { BookAnswer, BookQuestion } from '../../../nodes/shared/book/question';
import type { RowValues } from '../../../nodes/shared/book/columns';
import type { ApiSend } from '../../../nodes/shared/book/tableApi';
import type { DataTables } from '../../contactBook/dataTablesServer';
import { useDataTables } from '../../contactBook/useDataTables';

export const TABLE = 'Contact book';

export const ADA = '+15550001000';
export const BOB = '+15550001001';

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

/** One process with the book of a server. */
export interface BookProcess {
	/** Claims the contact of an item; by default of one that nobody else may contact, and that has no rules. */
	readonly claim: (more?: Partial<Claiming>) => Promise<BookAnswer>;
	readonly settle: (row: number, values: RowValues) => Promise<unknown>;
}

interface Claiming {
	readonly phone: string;
	readonly execution: string;
	readonly earlier: BookAnswer;
	readonly isAllowed: (contacts: readonly number[]) => boolean;
	readonly isPatient: boolean;
}

let executions = 0;

/** What the tests of the book have in common: each has a server and a table. */
export function useBook(database: 'sqlite' | 'postgres' = 'sqlite') {
	const tables = useDataTables({ database }, async (server) => {
		await new Book(TABLE).use(
			sendTo(server),
			async () => {
				await Promise.resolve();
			},
			true,
		);
	});
	const startProcess = (send: ApiSend = sendTo(tables())): BookProcess => {
		const book = new Book(TABLE);
		const ownExecution = String(++executions);
		return {
			claim: async ({
				phone = ADA,
				execution = ownExecution,
				earlier,
				isAllowed = (contacts: readonly number[]) => contacts.length === 0,
				isPatient = true,
			} = {}) => {
				const question: BookQuestion = {
					phone,
					mode: 'live',
					isOfEarlierTry: false,
					isPatient,
					claim: {
						values: { phone, execution, mode: 'live' },
						...(earlier && { earlier }),
						isExclusive: true,
						isAllowed: ({ contacts }) => isAllowed(contacts),
					},
				};
				return await book.ask(send, question);
			},
			settle: async (row, values) => await book.settle(send, row, values),
		};
	};
	return {
		tables,
		startProcess,
		/** The ID and the outcome of each row. */
		outcomes: () =>
			tables()
				.table(TABLE)
				.rows.map(({ id, outcome }) => [id, outcome]),
	};
}

/** An insert of rows. */
export const isInsert = ({ method, path }: { method: string; path: string }): boolean =>
	method === 'POST' && path.endsWith('/rows');

/** A change of rows. */
export const isUpdate = ({ method }: { method: string }): boolean => method === 'PATCH';

/** A question for rows. */
export const isRead = ({ method, path }: { method: string; path: string }): boolean =>
	method === 'GET' && path.endsWith('/rows');
