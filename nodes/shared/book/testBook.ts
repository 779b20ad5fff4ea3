import { findTable, makeTable, openTable } from './openTable';
import { toBookProblem } from './problem';
import { rowsWith, TableApi, type ApiSend } from './tableApi';

/** No table has this ID: n8n looks at the scopes of a key before it looks for a table. */
const NO_TABLE = '0000000000000000';

/** No row has this ID. */
const NO_ROW = rowsWith('id', [0]);

/**
 * Tells in a sentence that the contact book can be used: the address, the key, the table with its columns, which is made if
 * n8n has no book, and each scope, by requests that read and change no row. @throws BookProblem if not
 */
export async function testBook(send: ApiSend, name: string): Promise<string> {
	const isNew = (await findTable(send, name)) === undefined;
	if (isNew) await makeTable(send, name);
	const table = new TableApi(send, await openTable(send, name));
	await table.some(NO_ROW, 'id:asc', 0, 1);
	await new TableApi(send, NO_TABLE).insert([{}]).catch((error: unknown) => {
		const problem = toBookProblem(error);
		if (problem.status !== 404) throw problem;
	});
	// Refused also if the tables are full.
	await table.update(NO_ROW, { outcome: 'notMade' });
	await table.remove(NO_ROW);
	const was = isNew ? 'was made as contact book' : 'is the contact book';
	return `The Data Table "${name}" ${was}.`;
}
