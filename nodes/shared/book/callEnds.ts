import { queueOf } from '../time/queue';
import type { BookRow, RowValues } from './columns';
import { addOptOut } from './optOuts';
import { rowsLike, rowsWith, TableApi, type ApiSend } from './tableApi';

/** How many requests about ended calls n8n gets at a time, and how many of a kind may wait. */
const AT_ONCE = 4;
const MOST_WAITING = 2_000;

/**
 * What the contact book does when calls end. Many end at once, and n8n answers these requests
 * beside the events: all together would time out. A request that fails throws {@link BookProblem}.
 */
export class CallEnds {
	private readonly inTurn = queueOf(AT_ONCE, MOST_WAITING);

	/** One at a time, so that two calls of a person add one row. */
	private readonly oneByOne = queueOf(1, MOST_WAITING);

	constructor(private readonly tableId: string) {}

	/**
	 * Writes the end of a call into the rows with this ID of the service.
	 *
	 * @param isRepeat true if an end that is there stays
	 * @returns the newest row with this ID, if there is one
	 */
	async complete(
		send: ApiSend,
		contactId: string,
		values: RowValues,
		isRepeat: boolean,
	): Promise<BookRow | undefined> {
		const ofCall = rowsWith('contactId', [contactId]);
		return await this.ask(send, async (table) => {
			if (!isRepeat) return newestOf(await table.updated(ofCall, values));
			await table.updated(rowsLike({ contactId, endedAt: null }), values);
			return newestOf(await table.rows(ofCall));
		});
	}

	/** Returns the newest row with this ID of the service, if there is one. */
	async find(send: ApiSend, contactId: string): Promise<BookRow | undefined> {
		const ofCall = rowsWith('contactId', [contactId]);
		return newestOf(await this.ask(send, async (table) => await table.rows(ofCall)));
	}

	/** Returns a call that a run waits for and that has not ended, if there is one. */
	async findOpen(send: ApiSend, wait: string): Promise<BookRow | undefined> {
		const open = rowsLike({ wait, outcome: 'accepted', endedAt: null });
		return (await this.ask(send, async (table) => await table.some(open, 'id:asc', 0, 1))).at(0);
	}

	/** Adds a row that holds back its number, with `+`, unless there is one. */
	async optOut(send: ApiSend, row: RowValues): Promise<void> {
		await this.oneByOne(() => addOptOut(new TableApi(send, this.tableId), row));
	}

	private async ask<T>(send: ApiSend, work: (table: TableApi) => Promise<T>): Promise<T> {
		return await this.inTurn(async () => await work(new TableApi(send, this.tableId)));
	}
}

/** n8n returns rows that it has changed in any order. */
const newestOf = (rows: readonly BookRow[]): BookRow | undefined =>
	rows
		.filter(({ operation }) => !OF_MESSAGE.test(operation ?? ''))
		.sort((one, other) => one.id - other.id)
		.at(-1);

/** A message may have the same ID as a call. */
const OF_MESSAGE = /^(sms|msgapp)\./;
