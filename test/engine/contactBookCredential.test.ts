import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { bookOf } from '../../nodes/shared/book/book';
import { COLUMNS } from '../../nodes/shared/book/columns';
import { testContactBook } from '../../nodes/shared/book/testContactBook';
import type { Scope } from '../contactBook/dataTables/tables';
import { useDataTables } from '../contactBook/useDataTables';
import { answerWith, useOtherServers } from '../otherServer';
import { createAdditionalData } from './engine';

const TABLE = 'Contact book';

const startServer = useOtherServers();

const tables = useDataTables();

/** What the button "Test" says of these values. */
async function check(changes: ICredentialDataDecryptedObject | undefined = {}) {
	const { baseUrl, apiKey } = tables();
	const data = { baseUrl, apiKey, table: TABLE, ...changes };
	const result = await testContactBook.call(new CredentialTestContext(createAdditionalData({})), {
		id: '1',
		name: 'Book',
		type: 'assistantServiceContactBookApi',
		data,
	});
	if (data.apiKey !== '') expect(result.message).not.toContain(data.apiKey);
	return result;
}

const error = (pattern: RegExp) => ({
	status: 'Error',
	message: expect.stringMatching(pattern) as string,
});

const columnsOf = (name = TABLE) =>
	Object.fromEntries(
		tables()
			.table(name)
			.columns.map((column) => [column.name, column.type]),
	);

const OK = { status: 'OK', message: `Connected: the Data Table "${TABLE}" is the contact book.` };

describe('a good key', () => {
	test('makes the table with its columns, adds no row, and says that it is new', async () => {
		expect(await check()).toEqual({
			status: 'OK',
			message: expect.stringContaining(`a new, empty Data Table "${TABLE}" was made`) as string,
		});
		expect(await check()).toEqual(OK);
		expect(columnsOf()).toEqual(COLUMNS);
		expect(tables().table(TABLE).rows).toEqual([]);
	});

	test('takes a table as it is, adds the columns that it lacks, and changes no row', async () => {
		const table = tables().createTable(TABLE, { phone: 'string', own: 'number' });
		table.insert({ phone: '+15550001000', own: 7 });
		const before = table.rows;

		expect(await check()).toEqual(OK);

		expect(table.rows).toEqual(before);
		expect(columnsOf()).toEqual({ own: 'number', ...COLUMNS });
	});

	test.each([
		'It\'s "our" book (1) & more!',
		'Kontaktbuch für Zoë 📞',
		'100%_',
		'a+b',
		'x'.repeat(128),
	])('makes and finds the table %j', async (table) => {
		tables().createTable(`${table.slice(0, 100)} old`, COLUMNS);
		expect(await check({ table })).toMatchObject({ status: 'OK' });
		expect(await check({ table: ` ${table} ` })).toMatchObject({ status: 'OK' });
		expect(columnsOf(table)).toEqual(COLUMNS);
	});
});

test('an empty table beside a book with contacts is said, until it has a contact itself', async () => {
	const ada = { phone: '+15550001000', outcome: 'accepted' };
	tables().createTable(TABLE, COLUMNS).insert(ada);
	const typo = { table: 'Contact bok' };
	const said = error(
		/"Contact bok" holds nobody back in live mode: the contacts and opt-outs are in "Contact book"/,
	);

	expect(await check(typo)).toEqual(said);
	expect(await check(typo)).toEqual(said);
	tables().table('Contact bok').insert(ada);
	expect(await check(typo)).toMatchObject({ status: 'OK' });
});

describe('each fault is a sentence', () => {
	test('a wrong key, or the API is off', async () => {
		expect(await check({ apiKey: 'wrong' })).toEqual(error(/does not accept the API key/));
	});

	test.each<Scope>([
		'dataTable:list',
		'dataTable:create',
		'dataTableRow:read',
		'dataTableRow:create',
		'dataTableRow:update',
	])('the scope %s is missing', async (scope) => {
		expect(await check({ apiKey: tables().keyWithout(scope) })).toEqual(
			error(new RegExp(`lacks the scope ${scope}`)),
		);
	});

	test('the scope for columns is missing, if one is', async () => {
		const apiKey = tables().keyWithout('dataTableColumn:create', 'dataTable:create');
		tables().createTable(TABLE, { phone: 'string' });
		expect(await check({ apiKey })).toEqual(error(/lacks the scope dataTableColumn:create/));
		tables().dropTable(TABLE);
		tables().createTable(TABLE, COLUMNS);
		expect(await check({ apiKey })).toEqual(OK);
	});

	test.each([
		['nobody answers', { baseUrl: 'http://127.0.0.1:1' }, /cannot be reached/],
		['it is no address', { baseUrl: 'n8n' }, /Base URL/],
		['there is no address', { baseUrl: '' }, /Base URL/],
		['an expression gave none', { baseUrl: undefined as never }, /Base URL/],
		['there is no key', { apiKey: '' }, /API Key/],
		['the key has a line break', { apiKey: 'a\nb' }, /API Key/],
		['there is no table', { table: ' ' }, /Table/],
		['the name is too long for n8n', { table: 'x'.repeat(129) }, /128/],
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
		['another server', 200, '{"hello":1}', /does not answer like n8n's public API/],
		['a redirection', 302, '', /HTTP 302/],
		[
			'there is no API',
			404,
			'{"message":"not found"}',
			/does not answer like n8n.*n8n must know Data Tables/,
		],
		['Data Tables are off', 500, '{"message":"Internal server error"}', /HTTP 500.*switched off/],
	])('%s', async (_, status, body, pattern) => {
		const { baseUrl } = await startServer(answerWith(status, body));
		expect(await check({ baseUrl })).toEqual(error(pattern));
	});

	test('the table was renamed since a node has used it', async () => {
		const { baseUrl, apiKey } = tables();
		const { id } = tables().createTable(TABLE, COLUMNS);
		bookOf({ api: `${baseUrl}/api/v1`, apiKey, table: TABLE }).expect(id);
		tables().table(TABLE).name = 'Old';

		expect(await check()).toEqual(error(/"Contact book" was renamed: it is "Old" now/));
		expect(tables().hasTable(TABLE)).toBe(false);
	});

	test('the tables are full', async () => {
		tables().createTable(TABLE, COLUMNS);
		tables().setFull(true);
		expect(await check()).toEqual(error(/size limit exceeded/));
	});

	test('an answer that repeats the key', async () => {
		tables().fail({ answer: { status: 500, body: { message: `no ${tables().apiKey}` } } });
		expect(await check()).toEqual(error(/HTTP 500/));
	});
});
