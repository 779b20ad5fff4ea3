import type { DataTables } from './dataTablesServer';

/** The fields of a credential with a contact book in these Data Tables. */
export const bookFields = (
	{ baseUrl, apiKey }: Pick<DataTables, 'baseUrl' | 'apiKey'>,
	table = 'Contact book',
) => ({ contactBook: true, n8nUrl: baseUrl, n8nApiKey: apiKey, contactBookTable: table });
