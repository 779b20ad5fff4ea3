import { openTable } from './openTable';
import { toBookProblem } from './problem';
import { rowsWith, TableApi, type ApiSend } from './tableApi';

/** No table has this ID, and no row the other: n8n looks at the scopes of a key before it looks for a table. */
const NO_TABLE = { id: '0000000000000000', namesItems: true };
const NO_ROW = rowsWith('id', [0]);

/**
 * Tells whether the contact book can be used: the address, the key, the table with its columns (which is made if there is
 * none), and each scope, by requests that read and change no row.
 *
 * @returns what it is, in a sentence
 * @throws BookProblem
 */
export async function testBook(send: ApiSend, table: string): Promise<string> {
	const rows = new TableApi(send, NO_TABLE);
	await unlessNotFound(rows.some(NO_ROW, 'id:asc', 0, 1));
	await unlessNotFound(rows.insert([{}]));
	await unlessNotFound(rows.update(NO_ROW, { outcome: 'notMade' }));
	const opened = await openTable(send, table, 'always', new Set());
	// Refused also if the tables are full.
	await new TableApi(send, opened ?? NO_TABLE).update(NO_ROW, { outcome: 'notMade' });
	return opened?.isNew === true
		? `The Data Table "${table}" was made as contact book.`
		: `The Data Table "${table}" is the contact book.`;
}

async function unlessNotFound(work: Promise<unknown>): Promise<void> {
	await work.catch((error: unknown) => {
		const problem = toBookProblem(error);
		if (problem.status !== 404) throw problem;
	});
}
