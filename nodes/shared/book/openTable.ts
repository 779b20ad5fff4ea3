import { z } from 'zod';

import { COLUMN_NAMES, COLUMNS, type ColumnName } from './columns';
import { BookProblem } from './problem';
import { askApi, queryOf, unexpected, type ApiSend } from './tableApi';

const table = z.object({
	id: z.string(),
	name: z.string(),
	columns: z.array(z.object({ name: z.string(), type: z.string() })),
});

type Table = z.output<typeof table>;

const tables = z.object({ data: z.array(table) });

/**
 * Finds the Data Table of the contact book by its name or its ID.
 *
 * @returns its ID
 * @throws BookProblem if n8n refuses that, if there is none, if several have the name, or if it lacks columns of a book
 */
export async function openTable(send: ApiSend, nameOrId: string): Promise<string> {
	const found = await findTable(send, nameOrId);
	if (found === undefined) {
		throw new BookProblem(
			`There is no Data Table "${nameOrId}" any more, or it was never made`,
			'If it was renamed or removed, give it back its name, restore it, or correct Contact Book Table in the credential. To begin a new book, test the credential.',
		);
	}
	const { id, name, columns } = found;
	const types = new Map(columns.map((column) => [column.name, column.type]));
	const wrong = COLUMN_NAMES.filter((one) => types.has(one) && types.get(one) !== COLUMNS[one]);
	if (wrong.length > 0) {
		throw new BookProblem(
			`The Data Table "${name}" has columns of the wrong type for a contact book`,
			`Rename or remove them, and add in n8n: ${describeColumns(wrong)}. Or choose another table in the credential.`,
		);
	}
	const lacking = COLUMN_NAMES.filter((one) => !types.has(one));
	if (lacking.length > 0) {
		throw new BookProblem(
			`The Data Table "${name}" lacks columns of a contact book`,
			`Add them in n8n: ${describeColumns(lacking)}. Or choose another table in the credential.`,
		);
	}
	return id;
}

/** With their types, as they are entered in n8n. */
const describeColumns = (names: readonly ColumnName[]): string =>
	names.map((name) => `${name} (${COLUMNS[name]})`).join(', ');

/**
 * Finds a table by its name or, if none has that name, by its ID. n8n finds names that contain it, in any case.
 *
 * @throws BookProblem
 */
export async function findTable(send: ApiSend, nameOrId: string): Promise<Table | undefined> {
	const named = (await list(send, { name: nameOrId })).filter(({ name }) => name === nameOrId);
	if (named.length > 1) {
		throw new BookProblem(
			`There are ${named.length} Data Tables with the name "${nameOrId}"`,
			'Enter the ID of the right one as Contact Book Table in the credential.',
		);
	}
	return named[0] ?? (await list(send, { id: nameOrId })).find(({ id }) => id === nameOrId);
}

/** What n8n gives as ID. Nobody names a table so. */
const ID = /^(?=.*\d)[A-Za-z0-9]{16}$/;

/**
 * Makes the table of the first contact book of this n8n. Beside another book, the name may be mistyped, and everybody would be
 * contacted once more.
 *
 * @throws BookProblem if n8n refuses that, if there is another book among the first 250 tables, or if the name is an ID
 */
export async function makeTable(send: ApiSend, name: string): Promise<void> {
	if (ID.test(name)) {
		throw new BookProblem(
			`There is no Data Table with the ID "${name}"`,
			'Somebody may have removed it. Enter the name or the ID of another one as Contact Book Table in the credential.',
		);
	}
	const isBook = ({ columns }: Table): boolean =>
		COLUMN_NAMES.every((one) =>
			columns.some((column) => column.name === one && column.type === COLUMNS[one]),
		);
	const books = (await list(send, {})).filter(isBook);
	if (books.length > 0) {
		throw new BookProblem(
			`There is no Data Table "${name}", and n8n has a contact book: ${books.map((book) => `"${book.name}"`).join(', ')}`,
			`Enter it as Contact Book Table in the credential. For a second book, make the table "${name}" by hand, with the columns ${describeColumns(COLUMN_NAMES)}.`,
		);
	}
	const columns = COLUMN_NAMES.map((column) => ({ name: column, type: COLUMNS[column] }));
	await askApi(send, { method: 'POST', path: '/data-tables', body: { name, columns } });
}

async function list(send: ApiSend, filter: Readonly<Record<string, string>>): Promise<Table[]> {
	const path = `/data-tables${queryOf({ filter: JSON.stringify(filter), limit: '250' })}`;
	const answer = tables.safeParse(await askApi(send, { method: 'GET', path }));
	if (answer.success) return answer.data.data;
	throw unexpected();
}
