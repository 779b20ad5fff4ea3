import type { IDataObject } from 'n8n-workflow';

import { bookFields } from '../contactBook/bookFields';
import type { DataTablesOptions } from '../contactBook/dataTables/dataTables';
import { useBook } from '../contactBook/useBook';
import { ada, useContacts } from './contacts';

/** To be called once for each file of tests. The credential of the nodes has the contact book. */
export function useBookWorld(options?: DataTablesOptions) {
	const book = useBook(options);
	return { ...book, ...useContacts({ fields: () => bookFields(book.tables()) }) };
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
