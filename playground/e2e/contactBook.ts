import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import type { N8nClient } from '../rest';
import type { SavedCredential } from '../restTypes';
import { BOOK_TABLE, bookCredentialData } from '../setup';
import { PLACE_CALL, type Person } from './calls';
import { openDataTables, type DataTable } from './dataTables';

/** The nodes of a workflow that use the contact book. */
export const WITH_BOOK: INodeParameters = { useContactBook: true };

export const CALL_WITH_BOOK: INodeParameters = { ...PLACE_CALL, ...WITH_BOOK };
export const ONCE_A_DAY: INodeParameters = { contactRules: { notAgainWithin: 24 } };

type BookData = Awaited<ReturnType<typeof bookCredentialData>>;

/** What a book is opened for. */
interface Owner {
	client: N8nClient;
	credentials: Readonly<Record<string, SavedCredential>>;
}

export interface OpenedBook<W extends Owner> {
	/** The world, with a credential of this book. */
	world: W;
	/** What the credential holds. */
	data: BookData;
	table: DataTable;
}

/** A contact book of its own, whose table is new; its credential can hold other values, such as another address of n8n. */
export async function openBook<W extends Owner>(
	world: W,
	changes: Partial<BookData> = {},
): Promise<OpenedBook<W>> {
	const { client, credentials } = world;
	const name = `Book ${randomUUID().slice(0, 8)}`;
	const data = { ...(await bookCredentialData(client, name)), ...changes };
	const save = async (entered: BookData) =>
		await client.saveCredential('assistantServiceContactBookApi', name, entered);
	const { status, message } = await client.testCredential(await save(data), data);
	const table = await (await openDataTables(client.baseUrl)).find(name);
	if (!table) throw new Error(`${status}: ${message}`);
	// n8n has other books, too: by its ID, it is meant.
	const saved = await save({ ...data, table: table.id });
	return {
		world: { ...world, credentials: { ...credentials, assistantServiceContactBookApi: saved } },
		data,
		table,
	};
}

/** The table of the book that the examples ask for by name. It may hold rows of other tests. */
export async function exampleBook({ baseUrl }: N8nClient): Promise<DataTable> {
	const table = await (await openDataTables(baseUrl)).find(BOOK_TABLE);
	if (!table) throw new Error(`no table "${BOOK_TABLE}"`);
	return table;
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The rows of the table in the order of their numbers. */
export async function rowsOf({ table }: { readonly table: DataTable }): Promise<IDataObject[]> {
	const rows = await table.rows();
	return rows.sort((one, other) => textOf(one.phone).localeCompare(textOf(other.phone)));
}

/** Number and outcome of each row, in the order of the numbers. */
export const outcomesOf = async (book: { readonly table: DataTable }) =>
	(await rowsOf(book)).map(({ phone, outcome }) => [phone, outcome]);

/** The {@link outcomesOf} a book in which each of these people has one row with this outcome. */
export const each = (all: readonly Person[], outcome: string) =>
	all.map(({ phone }) => [phone, outcome]);
