import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { openBook } from '../book/book';
import { createBookSend, type AnyContext } from '../book/bookTransport';
import type { BookRow } from '../book/columns';
import { again } from '../book/problem';
import { rowsWith, TableApi, type RowFilter } from '../book/tableApi';
import type { BookCredential } from '../items/credential';
import type { Waiting } from './resume';

/** How many calls are named in one request. */
const AT_ONCE = 250;

/** The rows of the calls that runs wait for. Each method throws a BookProblem if n8n does not answer. */
export class WaitsInBook {
	constructor(private readonly table: TableApi) {}

	/** All rows of a waiting run. */
	async rows(wait: string): Promise<BookRow[]> {
		return await again(async () => await this.table.rows(rowsWith('wait', [wait])));
	}

	/** Makes a run wait for the calls of its earlier tries, whose executions had another resume address. */
	async adopt(waiting: Waiting, callIds: readonly string[]): Promise<void> {
		const own = rowsWith('wait', [waiting.wait]).filters;
		for (let first = 0; first === 0 || first < callIds.length; first += AT_ONCE) {
			const calls = rowsWith('contactId', callIds.slice(first, first + AT_ONCE)).filters;
			const filter: RowFilter = { type: 'or', filters: [...own, ...calls] };
			await again(async () => {
				await this.table.update(filter, { ...waiting });
			});
		}
	}
}

/** Opens the book of a credential for those who wait. @throws BookProblem */
export async function openWaits(
	context: AnyContext,
	credential: ICredentialDataDecryptedObject,
	of: BookCredential,
): Promise<WaitsInBook> {
	const send = createBookSend(context, credential, of);
	const { tableId } = await openBook(send, of);
	return new WaitsInBook(new TableApi(send, tableId));
}
