import { z } from 'zod';

import { visible } from '../values';
import { COLUMN_NAMES, COLUMNS, type ColumnName } from './columns';
import { BookProblem, toBookProblem } from './bookProblem';
import { askApi, queryOf, readAs, rowsWith, TableApi, type ApiSend } from './tableApi';

const tableColumns = z.array(z.object({ name: z.string(), type: z.string() }));

const listedTable = z.object({ id: z.string(), name: z.string(), columns: tableColumns });

type Table = z.output<typeof listedTable>;

/** Finds a table's ID by name or ID. @throws BookProblem unless just one fits, with all columns */
export async function openTable(send: ApiSend, nameOrId: string): Promise<string> {
	const dataTable = await findTable(send, nameOrId);
	if (dataTable === undefined)
		throw new BookProblem(
			`There is no Data Table "${visible(nameOrId)}" any more, or it was never made`,
			'Correct "Contact Book Table" in the credential, or give the table its name back. To begin a new book, test the credential.',
		);
	const lacking = lackingIn(dataTable);
	if (lacking.length > 0)
		throw new BookProblem(
			`The Data Table "${visible(dataTable.name)}" lacks columns of a contact book`,
			`Add them in n8n: ${describeColumns(lacking)}. First rename columns that have such a name and another type.`,
		);
	return dataTable.id;
}

/** The columns of a book that a table does not have, or has with another type. */
const lackingIn = ({ columns }: Table): ColumnName[] =>
	COLUMN_NAMES.filter(
		(column) => !columns.some(({ name, type }) => name === column && type === COLUMNS[column]),
	);

/** With their types, as they are entered in n8n. */
const describeColumns = (names: readonly ColumnName[]): string =>
	names.map((name) => `${name} (${COLUMNS[name]})`).join(', ');

/** Finds a table by its name, else by its ID. n8n also finds longer names. @throws BookProblem */
async function findTable(send: ApiSend, nameOrId: string): Promise<Table | undefined> {
	const named = (await list(send, { name: nameOrId })).filter(({ name }) => name === nameOrId);
	if (named.length > 1)
		throw new BookProblem(
			`There are ${named.length} Data Tables with the name "${visible(nameOrId)}"`,
			'Enter the ID of the right one as "Contact Book Table" in the credential.',
		);
	return named[0] ?? (await list(send, { id: nameOrId })).find(({ id }) => id === nameOrId);
}

/** What n8n gives as ID. Nobody names a table so. */
const ID = /^(?=.*\d)[A-Za-z0-9]{16}$/;

/**
 * Makes the table of the first contact book of this n8n. Beside another book, the name may be
 * mistyped, and everybody would be contacted once more.
 *
 * @throws BookProblem if n8n refuses, if the first 250 tables hold a book, or if the name is an ID
 */
export async function makeTable(send: ApiSend, name: string): Promise<void> {
	if (ID.test(name))
		throw new BookProblem(
			`There is no Data Table with the ID "${name}"`,
			'Somebody may have removed it. Enter the name or the ID of another one as "Contact Book Table" in the credential.',
		);
	const books = (await list(send, {})).filter((table) => lackingIn(table).length === 0);
	if (books.length > 0)
		throw new BookProblem(
			`There is no Data Table "${visible(name)}", and n8n has a contact book: ${books.map((book) => `"${visible(book.name)}"`).join(', ')}`,
			`Enter it as "Contact Book Table" in the credential. For a second book, make the table "${visible(name)}" by hand, with the columns ${describeColumns(COLUMN_NAMES)}.`,
		);
	const body = {
		name,
		columns: COLUMN_NAMES.map((column) => ({ name: column, type: COLUMNS[column] })),
	};
	await askApi(send, { method: 'POST', path: '/data-tables', body });
}

/** No table has this ID: n8n looks at the scopes of a key before it looks for a table. */
const NO_TABLE = '0000000000000000';

/** No row has this ID. */
const NO_ROW = rowsWith('id', [0]);

/**
 * Tells in a sentence that the contact book can be used: address, key, table, columns and scopes,
 * by requests that touch no row. Makes the table if n8n has no book. @throws BookProblem if not
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
	const sentenceEnd = isNew ? 'was made as contact book' : 'is the contact book';
	return `The Data Table "${visible(name)}" ${sentenceEnd}.`;
}

async function list(send: ApiSend, filter: Readonly<Record<string, string>>): Promise<Table[]> {
	const path = `/data-tables${queryOf({ filter: JSON.stringify(filter), limit: '250' })}`;
	const tablesSchema = z.object({ data: z.array(listedTable) });
	return readAs(tablesSchema, await askApi(send, { method: 'GET', path })).data;
}
