import { SCOPES, type Scope } from '../../test/contactBook/dataTables/tables';
import { testDataTablesApi } from '../../test/contactBook/dataTablesApi';
import { createApiKey } from '../apiKey';
import { OWNER } from '../setup';
import { signIn } from '../signIn';
import { n8nUrl } from './world';

/** By the scopes that they lack. */
const keys = new Map<string, Promise<string>>();

async function makeKey(without: Scope[]): Promise<string> {
	const http = await signIn(n8nUrl(), OWNER);
	return await createApiKey(
		http,
		SCOPES.filter((scope) => !without.includes(scope)),
	);
}

// The server that the tests of the contact book use answers as n8n does: the same requests, the same answers.
testDataTablesApi(() => ({
	baseUrl: n8nUrl(),
	keyWithout: async (...without) => {
		const name = without.join();
		const key = keys.get(name) ?? makeKey(without);
		keys.set(name, key);
		return await key;
	},
}));
