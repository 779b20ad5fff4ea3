import { openBook } from '../book/book';
import type { BookRow } from '../book/columns';
import { withRetries } from '../book/bookProblem';
import { rowsWith, TableApi, type BookAccess, type RowFilter } from '../book/tableApi';
import type { Waiting } from './calls';

/** Opens the rows of the contact book for those who wait. @throws BookProblem */
export async function openRows(access: BookAccess): Promise<TableApi> {
	return new TableApi(access.send, (await openBook(access)).tableId);
}

/** Reads all rows of a waiting run. @throws BookProblem */
export const rowsOfWait = async (table: TableApi, wait: string): Promise<BookRow[]> =>
	await withRetries(async () => await table.rows(rowsWith('wait', [wait])));

/** How many calls are named in one request. */
const AT_ONCE = 250;

/** Makes a run wait for its earlier tries' calls, by its own resume address. @throws BookProblem */
export async function adoptCalls(
	table: TableApi,
	waiting: Waiting,
	callIds: readonly string[],
): Promise<void> {
	const ofWait = rowsWith('wait', [waiting.wait]).filters;
	for (let first = 0; first === 0 || first < callIds.length; first += AT_ONCE) {
		const calls = rowsWith('contactId', callIds.slice(first, first + AT_ONCE)).filters;
		const filter: RowFilter = { type: 'or', filters: [...ofWait, ...calls] };
		await withRetries(() => table.update(filter, { ...waiting }));
	}
}
