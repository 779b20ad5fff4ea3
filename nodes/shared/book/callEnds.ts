import type { BookRow, RowValues } from './columns';
import { joined } from './joined';
import { toBookProblem, type BookProblem } from './problem';
import { rowsWith, sendOf, TableApi, type ApiSend } from './tableApi';

/** How many IDs are asked for at a time: their filter is part of an address. */
const ASKED_AT_ONCE = 50;

/** How many rows are completed at a time. */
const COMPLETED_AT_ONCE = 4;

/** IDs that are asked for together. One that n8n refuses, or that makes an address too long, would fail the others. */
const PLAIN_ID = /^[\w.:-]{1,64}$/;

interface Sought {
	readonly contactId: string;
	readonly send: ApiSend;
}

interface Completed {
	readonly row: number;
	readonly values: RowValues;
	readonly send: ApiSend;
}

/**
 * What the contact book does when calls end. Many end at the same moment, and n8n answers its own requests beside the events:
 * all at once they would time out. So IDs are asked for together, and few rows are completed at a time.
 */
export class CallEnds {
	constructor(private readonly tableId: string) {}

	/**
	 * The newest row with this ID of the service, if there is one.
	 *
	 * @throws BookProblem
	 */
	async find(send: ApiSend, contactId: string): Promise<BookRow | undefined> {
		const sought = { contactId, send };
		if (PLAIN_ID.test(contactId)) return (await this.findJoined(sought)).row;
		return (await this.findAll([sought]))[0]?.row;
	}

	/**
	 * Writes the end of a call into its row.
	 *
	 * @throws BookProblem
	 */
	async complete(send: ApiSend, row: number, values: RowValues): Promise<void> {
		const { problem } = await this.completeJoined({ row, values, send });
		if (problem) throw problem;
	}

	private async findAll(sought: readonly Sought[]): Promise<{ row?: BookRow }[]> {
		const ids = rowsWith('contactId', [...new Set(sought.map(({ contactId }) => contactId))]);
		const rows = await new TableApi(sendOf(sought), this.tableId).rows(ids);
		// In the order of their IDs: of several, the newest remains.
		const byId = new Map(rows.map((row) => [row.contactId, row]));
		return sought.map(({ contactId }) => {
			const row = byId.get(contactId);
			return row ? { row } : {};
		});
	}

	private readonly findJoined = joined<Sought, { row?: BookRow }>(
		ASKED_AT_ONCE,
		async (sought) => await this.findAll(sought),
	);

	private readonly completeJoined = joined<Completed, { problem?: BookProblem }>(
		COMPLETED_AT_ONCE,
		async (completed) =>
			await Promise.all(
				completed.map(async ({ row, values, send }) => {
					try {
						await new TableApi(send, this.tableId).update(rowsWith('id', [row]), values);
						return {};
					} catch (error) {
						return { problem: toBookProblem(error) };
					}
				}),
			),
	);
}
