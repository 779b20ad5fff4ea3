import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { COLUMNS } from '../../nodes/shared/book/columns';
import { bookFields } from '../contactBook/bookFields';
import type { DataTablesOptions } from '../contactBook/dataTablesServer';
import { useDataTables } from '../contactBook/useDataTables';
import { ada, useContacts } from './contacts';
import type { NodeSetup } from './engine';
import { credentialFor } from './world';

export const TABLE = 'Contact book';

/** What an execution of a node with the book is set up with, beside what all have. */
type Changes = Partial<Omit<NodeSetup, 'credential'>> & {
	readonly credential?: ICredentialDataDecryptedObject;
};

/** To be called once for each file of tests. Each test has Data Tables of its own, with the table of the book. */
export function useBookWorld(options?: DataTablesOptions) {
	const world = useContacts();
	const tables = useDataTables(({ createTable }) => {
		createTable(TABLE, COLUMNS);
	}, options);
	return {
		...world,
		tables,
		/** A node whose credential, but for these changes, has the contact book, and that calls these contacts. */
		calls: (
			items: IDataObject[],
			contactRules?: INodeParameters,
			{ credential, ...more }: Changes = {},
			options?: INodeParameters,
		): NodeSetup => {
			const book = bookFields(tables(), TABLE);
			const all = { ...credentialFor(world.simulator()), ...book, ...credential };
			return world.calls(items, contactRules, { ...more, credential: all }, options);
		},
		/** The rows of the book, without what n8n adds. */
		rows: (): IDataObject[] =>
			tables()
				.table(TABLE)
				.rows.map(({ createdAt: _, updatedAt: __, ...row }) => row as IDataObject),
		/** Adds a row as a person would, or as another workflow. */
		add: (row: IDataObject): number =>
			tables()
				.table(TABLE)
				.insert(row as Record<string, string | boolean | null>),
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
