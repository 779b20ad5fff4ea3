import { SCOPES } from '../../test/contactBook/dataTables/tables';
import { testDataTablesApi } from '../../test/contactBook/dataTablesApi';
import { N8nClient } from '../rest';
import { OWNER } from '../setup';
import { n8nUrl } from './world';

/** By the scopes that they lack. */
const keys = new Map<string, Promise<string>>();
let client: N8nClient;

beforeAll(async () => {
	client = await N8nClient.signIn(n8nUrl(), OWNER);
});

// The server that the tests of the contact book use answers as n8n does: the same requests, the same answers.
testDataTablesApi(() => ({
	baseUrl: n8nUrl(),
	keyWithout: async (...without) => {
		const name = `without ${without.join()}`;
		const scopes = SCOPES.filter((scope) => !without.includes(scope));
		const key = keys.get(name) ?? client.apiKey(scopes, name);
		keys.set(name, key);
		return await key;
	},
}));
