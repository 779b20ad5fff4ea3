import axios from 'axios';
import { queryOf, rowsWith } from '../../nodes/shared/book/tableApi';
import { SCOPES, type Scope } from '../../test/contactBook/dataTables/tables';
import { startDataTables } from '../../test/contactBook/dataTablesServer';
import { N8nClient } from '../rest';
import { OWNER } from '../setup';
import { n8nUrl, useOpened } from './world';

/** An n8n, or the server that stands for it in the tests of the contact book. */
interface Api {
	/** Without /api/v1. */
	readonly baseUrl: string;
	/** A key with all scopes but these. */
	readonly keyWithout: (...scopes: Scope[]) => string | Promise<string>;
	readonly stop: () => Promise<void>;
}

async function signIn(): Promise<Api> {
	const client = await N8nClient.signIn(n8nUrl(), OWNER);
	const keys = new Map<string, Promise<string>>();
	const keyWithout = async (...missing: Scope[]): Promise<string> => {
		const name = `without ${missing.join()}`;
		const scopes = SCOPES.filter((scope) => !missing.includes(scope));
		const key = keys.get(name) ?? client.apiKey(scopes, name);
		keys.set(name, key);
		return await key;
	};
	return { baseUrl: n8nUrl(), keyWithout, stop: () => Promise.resolve() };
}

interface Answer {
	readonly status: number;
	readonly data: unknown;
}

const TABLES = '/data-tables';
const NOWHERE = `${TABLES}/0000000000000000`;
const NO_ROW = rowsWith('id', [0]);
const ROW = { phone: '' };

const refused = (status: number, message: unknown = expect.any(String)) => ({
	status,
	data: { message },
});
const FORBIDDEN = refused(403, 'Forbidden');
const NO_TABLE = refused(404, "Could not find the data table: '0000000000000000'");
const cursor = (limit: number, offset: number) =>
	Buffer.from(JSON.stringify({ limit, offset })).toString('base64');
const pageOf = (filter: unknown, sortBy = 'id:asc', limit = 250, offset = 0) =>
	queryOf({ filter: JSON.stringify(filter), sortBy, cursor: cursor(limit, offset) });
const deletionOf = (filter: object, book: string) =>
	`${book}/rows/delete${queryOf({ filter: JSON.stringify(filter), returnData: 'true' })}`;
const listOf = (filter: object) => TABLES + queryOf({ filter: JSON.stringify(filter) });
const idsIn = ({ data }: Answer) => (data as { data: { id: unknown }[] }).data.map(({ id }) => id);

/** What the contact book relies on, asked in order of one table: the same requests, the same answers. */
describe.each<[string, () => Promise<Api>]>([
	['n8n', signIn],
	['the server of the tests', startDataTables],
])('%s', (_, start) => {
	const api = useOpened(start);
	/** Nothing of another test has this name. */
	const name = `Contact book (${Date.now()})`;
	let book = '';

	type Request = readonly [method: string, path: string, body?: unknown];
	const sendWith = async (key: string | undefined, ...[method, path, data]: Request) => {
		const { status, data: answer } = await axios.request<unknown>({
			...{ method, url: `${api().baseUrl}/api/v1${path}`, data, proxy: false },
			headers: key === undefined ? {} : { 'X-N8N-API-KEY': key },
			validateStatus: () => true,
		});
		return { status, data: answer };
	};
	const send = async (...request: Request): Promise<Answer> =>
		await sendWith(await api().keyWithout(), ...request);
	const insert = async (...data: object[]) =>
		await send('POST', `${book}/rows`, { data, returnType: 'count' });
	const read = async (...query: Parameters<typeof pageOf>) =>
		await send('GET', `${book}/rows${pageOf(...query)}`);
	const update = async (filter: object, data: object) =>
		await send('PATCH', `${book}/rows/update`, { filter, data });
	const everyRow = rowsWith('doNotContact', [false, true]);

	test('keys, paths, methods and forms', async () => {
		expect(await sendWith(undefined, 'GET', TABLES)).toMatchObject({ status: 401 });
		expect(await sendWith('no-key', 'POST', TABLES, {})).toEqual(refused(401, 'unauthorized'));
		expect(await send('GET', '/nothing')).toEqual(refused(404, 'not found'));
		expect(await send('PUT', TABLES, {})).toEqual(refused(405, 'PUT method not allowed'));
		expect(await send('POST', TABLES)).toMatchObject({ status: 415 });
		expect(await send('POST', TABLES, { columns: [] })).toEqual(refused(400));
	});

	test.each<[scope: Scope, method: string, path: string, body?: unknown]>([
		['dataTable:list', 'GET', TABLES],
		['dataTable:create', 'POST', TABLES, { name, columns: [] }],
		['dataTableRow:read', 'GET', `${NOWHERE}/rows${pageOf(NO_ROW)}`],
		['dataTableRow:create', 'POST', `${NOWHERE}/rows`, { data: [{}], returnType: 'count' }],
		['dataTableRow:update', 'PATCH', `${NOWHERE}/rows/update`, { filter: NO_ROW, data: ROW }],
		['dataTableRow:delete', 'DELETE', deletionOf(NO_ROW, NOWHERE)],
	])('the scope %s is needed, and looked at before the table', async (scope, ...request) => {
		expect(await sendWith(await api().keyWithout(scope), ...request)).toEqual(FORBIDDEN);
		if (scope.startsWith('dataTableRow:')) expect(await send(...request)).toEqual(NO_TABLE);
	});

	test('tables are made once, and found by a part of their name, in any case, and by ID', async () => {
		const columns = [
			{ name: 'contactedAt', type: 'date' },
			{ name: 'doNotContact', type: 'boolean' },
			{ name: 'phone', type: 'string' },
			{ name: 'tries', type: 'number' },
		];
		const made = await send('POST', TABLES, { name: `  ${name} `, columns });
		const { id } = made.data as { id: string };
		book = `${TABLES}/${id}`;

		expect(made).toMatchObject({ status: 201, data: { name } });
		expect(await send('POST', TABLES, { name, columns: [] })).toEqual(
			refused(409, `Data table with name '${name}' already exists in this project`),
		);
		const [, suffix = ''] = name.split('(');
		for (const filter of [{ name: `BOOK (${suffix}` }, { id }]) {
			const list = await send('GET', listOf(filter));
			expect(list).toMatchObject({
				status: 200,
				data: { data: [{ id, name }], nextCursor: null },
			});
			const [table] = (list.data as { data: { columns: { name: string }[] }[] }).data;
			const byName = table?.columns.sort((one, next) => one.name.localeCompare(next.name));
			expect(byName).toMatchObject(columns);
		}
		expect(idsIn(await send('GET', listOf({ name: `Never ${suffix}` })))).toEqual([]);
		for (const query of ['%7B%22name%22%3A%22Contact+book%22%7D', '%7B%22name%22%3A%22(b)%22%7D'])
			expect(await send('GET', `${TABLES}?filter=${query}`)).toEqual(
				refused(400, expect.stringContaining('must be url encoded')),
			);
		expect(await send('GET', `${TABLES}?limit=251`)).toEqual(refused(400));
	});

	test('rows get IDs in order; values are read leniently, and a bad one adds none', async () => {
		const contactedAt = '2025-01-02T03:04:05+02:00';
		expect(
			await insert(
				{ phone: '+491', doNotContact: true, contactedAt },
				{ phone: 5, tries: '7', doNotContact: 'true' },
				{ phone: '+493', doNotContact: 0 },
			),
		).toEqual({ status: 200, data: { success: true, insertedRows: 3 } });
		for (const wrong of [{ tries: 'abc' }, { contactedAt: 'abc' }, { foo: 1 }, { id: 9 }])
			expect(await insert({ phone: 'half' }, wrong)).toEqual(
				refused(400, expect.stringContaining('Validation error with data table request: ')),
			);
		const { data } = (await read(everyRow)).data as { data: object[] };
		expect(data).toMatchObject([
			{ id: 1, phone: '+491', doNotContact: true, contactedAt: '2025-01-02T01:04:05.000Z' },
			{ id: 2, phone: '5', tries: 7, doNotContact: true, contactedAt: null },
			{ id: 3, phone: '+493', tries: null, doNotContact: false },
		]);
		// So a row that somebody has changed can be told.
		const times = data as { createdAt: unknown; updatedAt: unknown }[];
		expect(times.map(({ createdAt }) => createdAt)).toEqual(
			times.map(({ updatedAt }) => updatedAt),
		);
	});

	test('rows are read by equal values, page by page, in the order of ID or change', async () => {
		expect(idsIn(await read(rowsWith('phone', ['+491', '+493', '+497'])))).toEqual([1, 3]);
		expect(idsIn(await read(rowsWith('doNotContact', [true])))).toEqual([1, 2]);
		const filled = { columnName: 'tries', condition: 'neq', value: null };
		expect(idsIn(await read({ type: 'and', filters: [filled] }))).toEqual([2]);
		expect(await read(everyRow, 'id:asc', 2)).toMatchObject({ data: { nextCursor: cursor(2, 2) } });
		expect(await read(everyRow, 'id:asc', 2, 1)).toMatchObject({
			data: { data: [{ id: 2 }, { id: 3 }], nextCursor: null },
		});
		expect(idsIn(await read(everyRow, 'id:asc', 2, 100))).toEqual([]);
		expect(await update(rowsWith('id', [1]), { phone: 'new' })).toEqual({
			status: 200,
			data: true,
		});
		expect(idsIn(await read(everyRow, 'updatedAt:asc'))).toEqual([2, 3, 1]);
		const tooMany = Array.from({ length: 250 }, (_, index) => `+4915112345${index}`);
		expect(await read(rowsWith('phone', tooMany))).toEqual({ status: 431, data: '' });
	});

	test('an update changes all rows of a filter, of at most 999 values, or none', async () => {
		const ids = (length: number) => rowsWith('id', [...Array(length).keys()]);
		expect(await update(NO_ROW, { phone: '' })).toEqual({ status: 200, data: true });
		expect(await update(ids(999), { phone: 'all' })).toEqual({ status: 200, data: true });
		expect(await update(ids(1000), { phone: 'none' })).toEqual(
			refused(500, 'Internal server error'),
		);
		for (const data of [{ foo: 1 }, { id: 7 }, {}])
			expect(await update(ids(2), data)).toEqual(refused(400));
		const untried = { columnName: 'tries', condition: 'eq', value: null };
		const untriedOf = (id: number) => ({
			type: 'and',
			filters: [...rowsWith('id', [id]).filters, untried],
		});
		for (const id of [2, 3]) await update(untriedOf(id), { phone: 'untried' });
		expect(idsIn(await read(rowsWith('phone', ['untried'])))).toEqual([3]);
		await update(untriedOf(3), { phone: 'all' });
		expect(idsIn(await read(rowsWith('phone', ['all'])))).toEqual([1, 2, 3]);
	});

	test('rows are taken away by a filter, which must be there', async () => {
		const remove = async (filter: object) => await send('DELETE', deletionOf(filter, book));
		expect(await send('DELETE', `${book}/rows/delete`)).toEqual(refused(400));
		expect(await remove({ type: 'or', filters: [] })).toEqual(refused(400));
		expect(await remove(NO_ROW)).toEqual({ status: 200, data: [] });
		expect(idsIn(await read(everyRow))).toEqual([1, 2, 3]);
		expect(await remove(rowsWith('id', [3, 9]))).toMatchObject({
			status: 200,
			data: [{ id: 3, phone: 'all', doNotContact: false }],
		});
		expect(idsIn(await read(everyRow))).toEqual([1, 2]);
	});
});
