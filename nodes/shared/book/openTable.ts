import { z } from 'zod';

import { COLUMN_NAMES, COLUMNS, OPTIONAL_COLUMN, type ColumnName } from './columns';
import { BookProblem, toBookProblem } from './problem';
import {
	askApi,
	CONTACTS,
	queryOf,
	rowsWith,
	TableApi,
	unexpected,
	type ApiSend,
	type OpenTable,
} from './tableApi';

const table = z.object({
	id: z.string(),
	name: z.string(),
	columns: z.array(z.object({ name: z.string(), type: z.string() })),
});

type Table = z.output<typeof table>;

const tables = z.object({ data: z.array(table) });

export interface OpenedTable extends OpenTable {
	/** True if there was none of this name, and it was made. */
	readonly isNew: boolean;
}

/**
 * Whether the table is made if there is none. `ifFirst`: unless n8n has another contact book that holds people back. The name
 * may be mistyped then, and all would be contacted once more.
 */
export type Making = 'never' | 'ifFirst' | 'always';

/**
 * Finds the Data Table of the contact book by its name or its ID, and adds the columns that it lacks.
 *
 * @param usedIds the IDs of the tables that were used under this name before. If one has another name now, no other one is
 * used: that one does not remember its contacts
 * @returns `undefined` if there is none
 * @throws BookProblem if n8n refuses that, if several tables have the name, if a column has another type, or if the table
 * was renamed
 */
export async function openTable(
	send: ApiSend,
	nameOrId: string,
	making: Making,
	usedIds: ReadonlySet<string>,
): Promise<OpenedTable | undefined> {
	const known = await find(send, nameOrId);
	for (const id of usedIds) {
		const used = id === known?.id ? undefined : await findById(send, id);
		if (used) throw renamed(nameOrId, used, known !== undefined);
	}
	const found = known ?? (making === 'never' ? undefined : await make(send, nameOrId, making));
	if (found === undefined) return undefined;
	const isNew = known === undefined;
	const columns = new Map(found.columns.map(({ name, type }) => [name, type]));
	const wrong = COLUMN_NAMES.flatMap((name) => faultOfColumn(columns, name) ?? []);
	if (wrong.length > 0) {
		throw new BookProblem(
			`The Data Table "${found.name}" cannot be used as contact book: ${wrong.join(', ')}`,
			'Rename or remove these columns; the node adds its own. Or choose another table in the credential.',
		);
	}
	const lacking = COLUMN_NAMES.filter((one) => !columns.has(one));
	for (const name of lacking) {
		const path = `/data-tables/${encodeURIComponent(found.id)}/columns`;
		const body = { name, type: COLUMNS[name] };
		try {
			await unlessDoneByOthers(askApi(send, { method: 'POST', path, body }));
		} catch (error) {
			const { status } = toBookProblem(error);
			// It is the last one.
			if (name === OPTIONAL_COLUMN && (status === 403 || status === 404))
				return { id: found.id, namesItems: false, isNew };
			throw status === 404 ? cannotAdd(found.name, lacking) : error;
		}
	}
	return { id: found.id, namesItems: true, isNew };
}

/** E.g. n8n 2.15 has no request for it. */
const cannotAdd = (table: string, names: readonly ColumnName[]): BookProblem =>
	new BookProblem(
		`The Data Table "${table}" lacks columns, and this n8n cannot add them over its API`,
		`Add them in n8n: ${names.map((name) => `${name} (${COLUMNS[name]})`).join(', ')}.`,
	);

/** What is wrong with a column; `undefined` also if there is none. On SQLite, n8n cannot add one beside another spelling. */
function faultOfColumn(columns: ReadonlyMap<string, string>, name: ColumnName): string | undefined {
	const type = columns.get(name);
	if (type !== undefined)
		return type === COLUMNS[name] ? undefined : `"${name}" must be of the type ${COLUMNS[name]}`;
	const other = [...columns.keys()].find((one) => one.toLowerCase() === name.toLowerCase());
	return other === undefined ? undefined : `"${other}" must be named "${name}"`;
}

/** The tables of this name are looked for first, then the one with this ID. n8n finds names that contain it, in any case. */
async function find(send: ApiSend, nameOrId: string): Promise<Table | undefined> {
	const named = (await list(send, { name: nameOrId })).filter(({ name }) => name === nameOrId);
	if (named.length > 1) {
		throw new BookProblem(
			`There are ${named.length} Data Tables with the name "${nameOrId}"`,
			'Enter the ID of the right one as Contact Book Table of the credential.',
		);
	}
	return named[0] ?? (await findById(send, nameOrId));
}

const findById = async (send: ApiSend, tableId: string): Promise<Table | undefined> =>
	(await list(send, { id: tableId })).find(({ id }) => id === tableId);

/**
 * Fails if the table holds nobody back, and n8n has another contact book that does: the name may be mistyped, and all would be
 * contacted once more. A table that is chosen by its ID, or was used under this name before, is meant.
 * Not to be asked of one that this run has made: a book begins empty.
 *
 * @throws BookProblem
 */
export async function checkIsMeant(
	send: ApiSend,
	nameOrId: string,
	usedIds: ReadonlySet<string>,
	opened: OpenTable,
): Promise<void> {
	if (opened.id === nameOrId || usedIds.has(opened.id)) return;
	if (await isInUse(new TableApi(send, opened))) return;
	const others = await booksInUse(send, ({ id }) => id !== opened.id);
	if (others.length > 0) throw emptyBeside(nameOrId, others);
}

/**
 * Fails if there is no table of this name, and n8n has another contact book that holds people back; see {@link checkIsMeant}.
 *
 * @throws BookProblem
 */
export async function checkIsFirst(send: ApiSend, name: string): Promise<void> {
	// Another process may have made it by now.
	const others = await booksInUse(send, (other) => other.name !== name);
	if (others.length > 0) throw noneBeside(name, others);
}

const emptyBeside = (name: string, others: readonly string[]): BookProblem =>
	new BookProblem(
		`The Data Table "${name}" holds nobody back in live mode: the contacts and opt-outs are in ${listed(others)}`,
		`${CORRECT_TABLE} enter the ID of its table there, the last part of the table's address in n8n.`,
	);

const noneBeside = (name: string, others: readonly string[]): BookProblem =>
	new BookProblem(
		`There is no Data Table "${name}": the contacts and opt-outs are in ${listed(others)}`,
		`${CORRECT_TABLE} test the credential, which makes the table, and enter its ID there, the last part of the table's address in n8n.`,
	);

const CORRECT_TABLE =
	'Correct Contact Book Table in the credential. Only to begin a new book, with which all these people would be contacted again,';

const listed = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** True if the table holds somebody back in live mode: it has a contact that was not redirected, or an opt-out. */
async function isInUse(book: TableApi): Promise<boolean> {
	// If the first and the last have this mode, all have, in whatever order the database has texts and empty cells.
	for (const order of ['mode:asc', 'mode:desc']) {
		const [contact] = await book.some(CONTACTS, order, 0, 1);
		if (contact && contact.mode !== 'redirect') return true;
	}
	return await book.has(rowsWith('doNotContact', [true]));
}

/** The names of these Data Tables that are in use and have the columns of a contact book, of the first 250 that n8n lists. */
async function booksInUse(
	send: ApiSend,
	isSought: (table: Pick<Table, 'id' | 'name'>) => boolean,
): Promise<string[]> {
	const needed = COLUMN_NAMES.filter((name) => name !== OPTIONAL_COLUMN);
	const names: string[] = [];
	for (const { id, name, columns } of (await list(send, {})).filter(isSought)) {
		const isBook = needed.every((needs) => columns.some((column) => column.name === needs));
		const other = new TableApi(send, { id, namesItems: false });
		if (isBook && (await isInUse(other).catch(unlessItMayPass))) names.push(name);
	}
	return names;
}

/** A table that cannot be read is none that could be meant; one that n8n fails to read may be. */
function unlessItMayPass(error: unknown): false {
	const problem = toBookProblem(error);
	if (problem.mayPass) throw problem;
	return false;
}

/** @param isTaken true if another table has the name by now */
const renamed = (name: string, used: Table, isTaken: boolean): BookProblem =>
	new BookProblem(
		`The Data Table "${name}" was renamed: it is "${used.name}" now`,
		isTaken
			? `Enter its ID, ${used.id}, as Contact Book Table of the credential. Another table is called "${name}" now: copy its rows with doNotContact, and see which workflows write into it.`
			: `Give it back its name, or enter its ID, ${used.id}, as Contact Book Table of the credential.`,
	);

async function list(send: ApiSend, filter: Readonly<Record<string, string>>): Promise<Table[]> {
	const path = `/data-tables${queryOf({ filter: JSON.stringify(filter), limit: '250' })}`;
	const answer = tables.safeParse(await askApi(send, { method: 'GET', path }));
	if (answer.success) return answer.data.data;
	throw unexpected();
}

/** What n8n gives as ID. Nobody names a table so. */
const ID = /^(?=.*\d)[A-Za-z0-9]{16}$/;

async function make(send: ApiSend, name: string, making: Exclude<Making, 'never'>): Promise<Table> {
	if (ID.test(name)) {
		throw new BookProblem(
			`There is no Data Table with the ID "${name}"`,
			'Somebody may have removed it. Enter the name or the ID of another one as Contact Book Table of the credential.',
		);
	}
	if (making === 'ifFirst') await checkIsFirst(send, name);
	const columns = COLUMN_NAMES.map((column) => ({ name: column, type: COLUMNS[column] }));
	await unlessDoneByOthers(
		askApi(send, { method: 'POST', path: '/data-tables', body: { name, columns } }),
	);
	// Also if another process has made it at the same moment.
	const made = await find(send, name);
	if (made !== undefined) return made;
	throw new BookProblem(
		`The Data Table "${name}" was made, and n8n does not list it`,
		"Check whose API key it is: its owner must see the table in n8n's list of Data Tables.",
	);
}

/** Two processes may open the table at once: what the other one has made is there. */
async function unlessDoneByOthers(work: Promise<unknown>): Promise<void> {
	await work.catch((error: unknown) => {
		if (!(error instanceof BookProblem && error.status === 409)) throw error;
	});
}
