import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { COLUMNS } from '../../nodes/shared/book/columns';
import type { Values } from '../contactBook/dataTables/table';
import { bookFields } from '../contactBook/bookFields';
import type { DataTablesOptions } from '../contactBook/dataTables/dataTables';
import { useDataTables } from '../contactBook/useDataTables';
import { ada, useContacts } from './contacts';
import type { NodeSetup } from './engine';

export const TABLE = 'Contact book';

/** To be called once for each file of tests. Each test has Data Tables of its own, with the table of the book. */
export function useBookWorld(options?: DataTablesOptions) {
	const world = useContacts();
	const tables = useDataTables(({ createTable }) => {
		createTable(TABLE, COLUMNS);
	}, options);
	const table = () => tables().table(TABLE);
	return {
		...world,
		tables,
		table,
		/** A node whose credential, but for these changes, has the contact book, and that calls these contacts. */
		calls: (
			items: IDataObject[],
			contactRules?: INodeParameters,
			{ credential, ...more }: Partial<NodeSetup> = {},
			options?: INodeParameters,
		): NodeSetup => {
			const withBook = { ...bookFields(tables()), ...credential };
			return world.calls(items, contactRules, { ...more, credential: withBook }, options);
		},
		/** The rows of the book, without what n8n adds. */
		rows: (): IDataObject[] =>
			table().rows.map(({ createdAt: _, updatedAt: __, ...row }) => row as IDataObject),
		/** Adds a row as a person would, or as another workflow. */
		add: (row: object): number => table().insert({ ...row }),
		/** Changes the nth row as a person would, or the event of a call. */
		edit: (row: number, values: Values): void => {
			table().edit(Number(table().rows[row]?.id), values);
		},
	};
}

/** An ISO time so many minutes ago. */
export const minutesAgo = (minutes: number): string =>
	new Date(Date.now() - minutes * 60_000).toISOString();

/** A row that another workflow has left for the first of the contacts, so many minutes ago. */
export const past = (minutes: number, more: IDataObject = {}): IDataObject => ({
	phone: ada.to,
	contactedAt: minutesAgo(minutes),
	outcome: 'accepted',
	mode: 'live',
	...more,
});

export const timeOf = (iso: unknown): number => (typeof iso === 'string' ? Date.parse(iso) : NaN);

export const HOURS = 60;
export const DAYS = 24 * HOURS;
