import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { COLUMNS } from '../../nodes/shared/book/columns';
import { bookFields, TABLE } from '../contactBook/bookFields';
import type { TablesRequest } from '../contactBook/dataTables/requests';
import { SCOPES } from '../contactBook/dataTables/tables';
import { useDataTables } from '../contactBook/useDataTables';
import { answerWith, useOtherServers } from '../otherServer';
import { CONNECTED, testCredential } from './apiCredential';
import { credentialFor, useSimulator } from './world';

const startServer = useOtherServers();

const simulator = useSimulator();

const tables = useDataTables();

async function check(changes: ICredentialDataDecryptedObject = {}) {
	const data = { ...credentialFor(simulator()), ...bookFields(tables()), ...changes };
	const result = await testCredential(data);
	if (data.n8nApiKey !== '') expect(result.message).not.toContain(data.n8nApiKey);
	return result;
}

const error = (pattern: RegExp) => ({
	status: 'Error',
	message: expect.stringMatching(pattern) as string,
});

const columnsOf = (name = TABLE) => Object.fromEntries(tables().table(name).types);

const ofBook = (said: string) => ({ ...CONNECTED, message: `${CONNECTED.message} ${said}` });

const OK = ofBook(`The Data Table "${TABLE}" is the contact book.`);

describe('a good key', () => {
	test('makes the table with its columns, adds no row, and says that it is new', async () => {
		expect(await check()).toEqual(ofBook(`The Data Table "${TABLE}" was made as contact book.`));
		expect(await check()).toEqual(OK);
		expect(columnsOf()).toEqual(COLUMNS);
		expect(tables().table(TABLE).rows).toEqual([]);
	});

	test('takes a table as it is, and changes no row', async () => {
		const table = tables().createTable(TABLE, { own: 'number', ...COLUMNS });
		table.insert({ phone: '+15550001000', own: 7 });
		const before = table.rows;

		expect(await check()).toEqual(OK);

		expect(table.rows).toEqual(before);
	});

	test.each(['It\'s "our" book (1) & more!', 'Kontaktbuch für Zoë 📞', 'x'.repeat(128)])(
		'makes and finds the table %j',
		async (contactBookTable) => {
			tables().createTable(`${contactBookTable.slice(0, 100)} old`, { phone: 'string' });
			expect(await check({ contactBookTable })).toMatchObject({ status: 'OK' });
			expect(await check({ contactBookTable: ` ${contactBookTable} ` })).toMatchObject({
				status: 'OK',
			});
			expect(columnsOf(contactBookTable)).toEqual(COLUMNS);
		},
	);
});

test("n8n's limit of its API is waited for, if that does not take long", async () => {
	tables().setLimit(3);
	expect(await check()).toMatchObject({ status: 'OK' });
	tables().setLimit(undefined);
	const headers = { 'retry-after': '40' };
	tables().fail({ answer: { status: 429, body: {}, headers } });

	expect(await check()).toEqual(error(/^n8n limits the requests .* in (39|40) s\. Try again then/));
});

describe('each fault is a sentence', () => {
	test('a wrong key, or the API is off', async () => {
		expect(await check({ n8nApiKey: 'wrong' })).toEqual(error(/does not accept the API key/));
	});

	test.each(SCOPES)('the scope %s is missing', async (scope) => {
		expect(await check({ n8nApiKey: tables().keyWithout(scope) })).toEqual(
			error(new RegExp(`lacks the scope ${scope}`)),
		);
	});

	test('the scope to make tables is not needed if there is one', async () => {
		tables().createTable(TABLE, COLUMNS);
		expect(await check({ n8nApiKey: tables().keyWithout('dataTable:create') })).toEqual(OK);
	});

	test.each([
		['nobody answers', { n8nUrl: 'http://127.0.0.1:1' }, /cannot be reached/],
		['an expression gave none', { n8nUrl: undefined as never }, /^n8n URL/],
		['there is no key', { n8nApiKey: '' }, /^n8n API Key/],
		['there is no table', { contactBookTable: ' ' }, /^Contact Book Table/],
		['the switch cannot be read', { contactBook: '' }, /^Contact Book of the credential/],
		['the name is too long for n8n', { contactBookTable: 'x'.repeat(129) }, /128/],
	])('%s', async (_, changes, pattern) => {
		expect(await check(changes)).toEqual(error(pattern));
	});

	test.each([
		[
			'n8n answers with its editor',
			200,
			'<html>n8n</html>',
			/does not answer like n8n's public API/,
		],
		['a redirection', 302, '', /HTTP 302/],
		[
			'there is no API',
			404,
			'{"message":"not found"}',
			/does not answer like n8n.*update n8n to 2\.15/,
		],
		['Data Tables are off', 500, '{"message":"Internal server error"}', /HTTP 500.*switched off/],
	])('%s', async (_, status, body, pattern) => {
		const { baseUrl: n8nUrl } = await startServer(answerWith(status, body));
		expect(await check({ n8nUrl })).toEqual(error(pattern));
	});

	test('the tables are full', async () => {
		tables().createTable(TABLE, COLUMNS);
		const message = 'Validation error with data table request: Data table size limit exceeded';
		// n8n looks for the table of a new row first.
		const when = ({ method }: TablesRequest) => method === 'PATCH';
		tables().fail({ when, answer: { status: 400, body: { message } } });
		expect(await check()).toEqual(
			error(/^The Data Tables of n8n are full: .*size limit exceeded.* Remove old rows/),
		);
	});

	test('an address that lies within that of the service', async () => {
		const { baseUrl } = simulator();
		for (const n8nUrl of [baseUrl, `${baseUrl}/n8n`, new URL(baseUrl).origin])
			expect(await check({ n8nUrl })).toEqual(error(/lie within each other/));
		expect(simulator().requests).toEqual([]);
	});

	test('the service, before the book is asked', async () => {
		expect(await check({ apiKey: 'wrong' })).toEqual(error(/^The API key is not valid/));
		expect(tables().requests).toEqual([]);
	});
});
