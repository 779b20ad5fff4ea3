import { SCOPES } from '../../test/contactBook/dataTables/tables';
import { createApiKey } from '../apiKey';
import type { N8nClient } from '../rest';
import type { SavedCredential } from '../restTypes';
import { OWNER } from '../setup';
import { signIn } from '../signIn';
import { openDataTables, type DataTable } from './dataTables';

/** By these names the examples ask for the contact book. */
const CREDENTIAL = 'Contact Book';
const TABLE = 'Contact book';

export interface ExampleBook {
	credential: SavedCredential;
	table: DataTable;
}

/** The contact book of the examples in this n8n, with the credential that they ask for. It may hold rows of other tests. */
export async function openExampleBook(client: N8nClient): Promise<ExampleBook> {
	const { baseUrl } = client;
	const apiKey = await createApiKey(await signIn(baseUrl, OWNER), [...SCOPES]);
	const data = { baseUrl, apiKey, table: TABLE };
	const credential = await client.saveCredential(
		'assistantServiceContactBookApi',
		CREDENTIAL,
		data,
	);
	// Its test makes the table.
	const { status, message } = await client.testCredential(credential, data);
	const table = await (await openDataTables(baseUrl)).find(TABLE);
	if (!table) throw new Error(`${status}: ${message}`);
	return { credential, table };
}
