import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { COLUMNS } from '../../nodes/shared/book/columns';
import { bookFields } from '../contactBook/bookFields';
import type { DataTables } from '../contactBook/dataTablesServer';
import { useDataTables } from '../contactBook/useDataTables';
import { until } from '../until';
import { ada, useContacts, type ContactWorld } from './contacts';
import type { NodeSetup } from './engine';
import { credentialFor } from './world';

export const TABLE = 'Contact book';

export interface BookWorld extends Omit<ContactWorld, 'calls'> {
	readonly tables: () => DataTables;
	/** A node whose credential, but for these changes, has the contact book, and that calls these contacts. */
	readonly calls: (
		items: IDataObject[],
		contactRules?: INodeParameters,
		more?: Partial<Omit<NodeSetup, 'credential'>> & {
			readonly credential?: ICredentialDataDecryptedObject;
		},
		options?: INodeParameters,
	) => NodeSetup;
	/** The rows of the book, without what n8n adds. */
	readonly rows: () => IDataObject[];
	/** Adds a row as a person would, or as another workflow. */
	readonly add: (row: IDataObject) => number;
	/** Waits until the book has been asked for a number, from now on, and has answered. */
	readonly untilLookedUp: (phone: unknown) => Promise<void>;
}

/** To be called once for each file of tests. Each test has Data Tables of its own, with the table of the book. */
export function useBookWorld(): BookWorld {
	const world = useContacts();
	const tables = useDataTables(undefined, async (created) => {
		created.createTable(TABLE, COLUMNS);
		await Promise.resolve();
	});
	const calls: BookWorld['calls'] = (
		items,
		contactRules,
		{ credential, ...more } = {},
		options,
	) => {
		const book = bookFields(tables(), TABLE);
		const all = { ...credentialFor(world.simulator()), ...book, ...credential };
		return world.calls(items, contactRules, { ...more, credential: all }, options);
	};
	return {
		...world,
		calls,
		tables,
		rows: () =>
			tables()
				.table(TABLE)
				.rows.map(({ createdAt: _, updatedAt: __, ...row }) => row as IDataObject),
		add: (row) =>
			tables()
				.table(TABLE)
				.insert(row as Record<string, string | boolean | null>),
		untilLookedUp: async (phone) => {
			const { requests } = tables();
			const earlier = requests.length;
			await until(() =>
				requests
					.slice(earlier)
					.some(
						({ method, query, status }) =>
							method === 'GET' &&
							decodeURIComponent(query).includes(String(phone)) &&
							status === 200,
					),
			);
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
