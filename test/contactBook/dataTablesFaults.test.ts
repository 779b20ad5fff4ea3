import axios from 'axios';
import { encode } from './dataTablesApi/testApi';
import { startDataTables, type DataTables, type DataTablesOptions } from './dataTablesServer';

const running: DataTables[] = [];

afterEach(async () => {
	for (const { stop } of running.splice(0)) await stop();
});

/** A server with a table of one text and one date. */
async function open(options?: DataTablesOptions) {
	const server = await startDataTables(options);
	running.push(server);
	const table = server.createTable('Book', { phone: 'string', contactedAt: 'date' });
	const send = async (method: string, path: string, body?: unknown, key = server.apiKey) => {
		const { status, data } = await axios.request<unknown>({
			method,
			url: `${server.baseUrl}/api/v1/data-tables/${table.id}${path}`,
			headers: { 'X-N8N-API-KEY': key },
			data: body,
			proxy: false,
			validateStatus: () => true,
		});
		return { status, data };
	};
	const insert = async (phone: string) =>
		await send('POST', '/rows', { data: [{ phone }], returnType: 'id' });
	const phones = () => table.rows.map(({ id, phone }) => [id, phone]);
	return { server, table, send, insert, phones };
}

/** Something to wait for, and its end. */
function gate() {
	let open: (() => void) | undefined;
	const opened = new Promise<void>((resolve) => (open = resolve));
	return { opened, open: () => open?.() };
}

const id = (value: number) => ({ status: 200, data: [{ id: value }] });

test('on PostgreSQL a row has its ID before others see it, and later ones can be seen before it', async () => {
	const { server, insert, phones } = await open({ database: 'postgres' });
	const [arrived, commit] = [gate(), gate()];
	server.holdAt((moment, { body }) => {
		if (moment !== 'commit' || !JSON.stringify(body).includes('first')) return undefined;
		arrived.open();
		return commit.opened;
	});
	const first = insert('first');
	await arrived.opened;
	expect(await insert('second')).toEqual(id(2));
	expect(phones()).toEqual([[2, 'second']]);
	commit.open();
	expect(await first).toEqual(id(1));
	expect(phones()).toEqual([
		[1, 'first'],
		[2, 'second'],
	]);
});

test('on SQLite one change waits for the other', async () => {
	const { server, insert, phones } = await open();
	const [arrived, commit] = [gate(), gate()];
	server.holdAt((moment, { body }) => {
		if (moment !== 'commit' || !JSON.stringify(body).includes('first')) return undefined;
		arrived.open();
		return commit.opened;
	});
	const first = insert('first');
	await arrived.opened;
	const second = insert('second');
	expect(phones()).toEqual([]);
	commit.open();
	expect([await first, await second]).toEqual([id(1), id(2)]);
});

test('a fault on arrival does nothing, and hits as often as it says', async () => {
	const { server, insert, phones } = await open();
	server.fail({ when: ({ method }) => method === 'POST', times: 2, answer: { status: 503 } });
	const refused = { status: 503, data: { message: 'Internal server error' } };
	expect([await insert('a'), await insert('b')]).toEqual([refused, refused]);
	expect(await insert('c')).toEqual(id(1));
	expect(phones()).toEqual([[1, 'c']]);
	expect(server.requests.map(({ method, status }) => [method, status])).toEqual([
		['POST', 503],
		['POST', 503],
		['POST', 200],
	]);
});

test('a connection that is cut at the commit leaves nothing but a gap in the IDs', async () => {
	const { server, insert, phones } = await open();
	server.fail({ at: 'commit', times: 1 });
	await expect(insert('a')).rejects.toThrow(/socket hang up|ECONNRESET/);
	expect(await insert('b')).toEqual(id(2));
	expect(phones()).toEqual([[2, 'b']]);
	expect(server.requests[0]?.status).toBeUndefined();
});

test('a connection that is cut at the answer leaves what was done', async () => {
	const { server, insert, phones } = await open();
	server.fail({ at: 'answer', times: 1 });
	await expect(insert('a')).rejects.toThrow(/socket hang up|ECONNRESET/);
	expect(phones()).toEqual([[1, 'a']]);
});

test('a page of another server, and the end of all faults', async () => {
	const { server, insert } = await open();
	server.fail({ answer: { status: 200, body: '<html></html>' } });
	expect(await insert('a')).toEqual({ status: 200, data: '<html></html>' });
	server.clearFaults();
	expect(await insert('a')).toEqual(id(1));
});

test('full tables take no rows and no changes, and can be read', async () => {
	const { server, table, insert, send } = await open();
	table.insert({ phone: 'a' });
	server.setFull(true);
	const refused = {
		status: 400,
		data: {
			message:
				'Validation error with data table request: Data table size limit exceeded: 200MB used, limit is 200MB',
		},
	};
	expect(await insert('b')).toEqual(refused);
	const filter = { filters: [{ columnName: 'id', condition: 'eq', value: 1 }] };
	expect(await send('PATCH', '/rows/update', { filter, data: { phone: 'b' } })).toEqual(refused);
	expect((await send('GET', '/rows')).status).toBe(200);
});

test('a person adds, changes and takes away a row', async () => {
	const { table, phones } = await open();
	const [first, second] = [table.insert({ phone: 'a' }), table.insert({ phone: 'b' })];
	table.edit(second, { phone: 'c' });
	table.delete(first);
	expect(phones()).toEqual([[2, 'c']]);
	expect(() => {
		table.edit(first, { phone: 'd' });
	}).toThrow('There is no row 1');
});

test('a table that is gone', async () => {
	const { server, send, table } = await open();
	server.dropTable('Book');
	expect(server.hasTable('Book')).toBe(false);
	const message = `Could not find the data table: '${table.id}'`;
	expect(await send('GET', '/rows')).toEqual({ status: 404, data: { message } });
});

test.each([
	['postgres', 'gte', [2, 3]],
	['postgres', 'eq', [2]],
	['sqlite', 'gte', []],
	['sqlite', 'eq', []],
] as const)('dates of one day on %s: %s', async (database, condition, ids) => {
	const { table, send } = await open({ database });
	for (const hour of ['03', '04', '05'])
		table.insert({ contactedAt: `2025-01-02T${hour}:00:00.000Z` });
	const value = '2025-01-02T04:00:00.000Z';
	const filter = JSON.stringify({ filters: [{ columnName: 'contactedAt', condition, value }] });
	expect((await send('GET', `/rows?filter=${encode(filter)}`)).data).toMatchObject({
		data: ids.map((one) => ({ id: one })),
	});
});

test.each([
	['postgres', [2, 3, 1]],
	['sqlite', [1, 2, 3]],
] as const)('empty values on %s stand in this order: %j', async (database, ids) => {
	const { table, send } = await open({ database });
	for (const phone of [null, 'a', 'b']) table.insert({ phone });
	expect((await send('GET', '/rows?sortBy=phone%3Aasc')).data).toMatchObject({
		data: ids.map((one) => ({ id: one })),
	});
});
