import type { DataTables } from './dataTablesServer';

/** The name of the table of the book. */
export const TABLE = 'Contact book';

/** The fields of a credential with a contact book in these Data Tables. */
export const bookFields = (
	{ baseUrl, apiKey }: Pick<DataTables, 'baseUrl' | 'apiKey'>,
	table = TABLE,
) => ({ contactBook: true, n8nUrl: baseUrl, n8nApiKey: apiKey, contactBookTable: table });
