import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { openDataTables, type DataTable } from '../dataTables';
import type { N8nClient } from '../rest';
import { apiCredentialData, BOOK_TABLE, bookData } from '../setup';
import type { Person } from './calls';
import { useOpened, type World } from './world';

export const ONCE_A_DAY: INodeParameters = { contactRules: { notAgainWithin: 24 } };

type Owner = Pick<World, 'client' | 'simulator' | 'credentials'> & { secret?: string };

export interface OpenedBook<W extends Owner> {
	/** The world, with a credential that has this book. */
	world: W;
	table: DataTable;
}

/** A contact book of its own, whose table is new, for the service of the world. */
export async function openBook<W extends Owner>(world: W): Promise<OpenedBook<W>> {
	const { client, simulator, secret } = world;
	const name = `Book ${randomUUID().slice(0, 8)}`;
	const table = await (await openDataTables(client.baseUrl)).create(name);
	const data = { ...apiCredentialData(simulator, secret), ...(await bookData(client, name, name)) };
	const assistantServiceApi = await client.saveCredential('assistantServiceApi', name, data);
	return { world: { ...world, credentials: { assistantServiceApi } }, table };
}

/** The table of the book that the examples ask for by name. It may hold rows of other tests. */
export async function exampleBook({ baseUrl }: N8nClient): Promise<DataTable> {
	const table = await (await openDataTables(baseUrl)).find(BOOK_TABLE);
	if (!table) throw new Error(`no table "${BOOK_TABLE}"`);
	return table;
}

/** The {@link exampleBook}, empty before each test of a file and after them. */
export function useExampleBook(world: () => World): () => DataTable {
	const opened = useOpened(async () => {
		const table = await exampleBook(world().client);
		return { table, stop: async () => table.clear() };
	});
	beforeEach(async () => {
		await opened().table.clear();
	});
	return () => opened().table;
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
