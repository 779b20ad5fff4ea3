import { openBook } from '../book/book';
import type { BookRow } from '../book/columns';
import { withRetries } from '../book/bookProblem';
import { rowsWith, TableApi, type BookAccess } from '../book/tableApi';
import { isOfMessage } from '../book/view';
import type { Waiting } from './calls';

/** Opens the rows of the contact book for those who wait. @throws BookProblem */
export async function openRows(access: BookAccess): Promise<TableApi> {
	return new TableApi(access.send, (await openBook(access)).tableId);
}

/** Reads all rows of a waiting run. @throws BookProblem */
export const rowsOfWait = async (table: TableApi, wait: string): Promise<BookRow[]> =>
	await withRetries(async () => await table.rows(rowsWith('wait', [wait])));

/** How many calls are named in one request: the filter is part of an address. */
const AT_ONCE = 50;

/** Makes a run wait for its earlier tries' calls, by its own resume address. @throws BookProblem */
export async function adoptCalls(table: TableApi, waiting: Waiting, callIds: readonly string[]) {
	await withRetries(() => table.update(rowsWith('wait', [waiting.wait]), { ...waiting }));
	for (let first = 0; first < callIds.length; first += AT_ONCE) {
		const ofPart = rowsWith('contactId', callIds.slice(first, first + AT_ONCE));
		const calls = (await withRetries(() => table.rows(ofPart))).filter((row) => !isOfMessage(row));
		// Of the rows with one ID, an older one is of another call.
		const newestIds = new Map(calls.map(({ contactId, id }) => [contactId, id]));
		if (newestIds.size === 0) continue;
		await withRetries(() => table.update(rowsWith('id', [...newestIds.values()]), { ...waiting }));
	}
}
