import { COLUMNS } from '../../../nodes/shared/book/columns';
import { checkIsMeant, openTable, type Making } from '../../../nodes/shared/book/openTable';
import type { ApiSend } from '../../../nodes/shared/book/tableApi';
import { useDataTables } from '../../contactBook/useDataTables';
import { sendTo, TABLE } from './bookServer';

const tables = useDataTables();

interface Opening {
	readonly name?: string;
	readonly making?: Making;
	readonly used?: string[];
	readonly send?: ApiSend;
}

const open = async ({ name = TABLE, making = 'ifFirst', used = [], send }: Opening = {}) =>
	await openTable(send ?? sendTo(tables()), name, making, new Set(used));

/** Answers some requests as a test wants, and passes on the others. */
const answering =
	(answer: (...request: Parameters<ApiSend>) => object | undefined): ApiSend =>
	async (request) => {
		const body = answer(request);
		return body ? { status: 200, body } : await sendTo(tables())(request);
	};

/** n8n adds no column, and answers with this status. */
const refuseColumns = (status: number): void => {
	tables().fail({ when: ({ path }) => path.endsWith('/columns'), answer: { status, body: {} } });
};

const { itemKey: _, ...OLD_COLUMNS } = COLUMNS;

const said = (message: RegExp, hint: RegExp) => ({
	message: expect.stringMatching(message) as string,
	hint: expect.stringMatching(hint) as string,
});

test('a table is made once, with all columns, and only if it may be', async () => {
	expect(await open({ making: 'never' })).toBeUndefined();
	const made = await open();

	const { id } = tables().table(TABLE);
	expect(made).toEqual({ id, namesItems: true, isNew: true });
	expect(await open()).toEqual({ ...made, isNew: false });
	expect(await open({ name: id })).toEqual({ ...made, isNew: false });
	expect(
		Object.fromEntries(
			tables()
				.table(TABLE)
				.columns.map(({ name, type }) => [name, type]),
		),
	).toEqual(COLUMNS);
});

test('a table with a similar name, or another ID, is another one', async () => {
	tables().createTable(`${TABLE} 2`, COLUMNS);
	const everything = answering(({ method, path }) =>
		method === 'GET' && path.includes('%22id%22')
			? { data: [{ id: 'another', name: 'x', columns: [] }] }
			: undefined,
	);

	expect(await open({ making: 'never' })).toBeUndefined();
	expect(await open({ making: 'never', send: everything })).toBeUndefined();
});

test('a table without the column of the item is used without it if it cannot be added', async () => {
	const { id } = tables().createTable(TABLE, OLD_COLUMNS);
	const apiKey = tables().keyWithout('dataTableColumn:create');
	const without = sendTo({ baseUrl: tables().baseUrl, apiKey });

	expect(await open({ send: without })).toMatchObject({ id, namesItems: false });
	refuseColumns(404);
	expect(await open()).toMatchObject({ id, namesItems: false });
	tables().clearFaults();
	refuseColumns(500);
	await expect(open()).rejects.toMatchObject({ status: 500 });
	tables().clearFaults();
	expect(await open()).toMatchObject({ id, namesItems: true });
});

test('columns that an n8n cannot add are named with their types', async () => {
	tables().createTable(TABLE, { phone: 'string' });
	refuseColumns(404);

	await expect(open()).rejects.toMatchObject(
		said(
			/"Contact book" lacks columns, and this n8n cannot add them/,
			/^Add them in n8n: contactedAt \(date\), .*itemKey \(string\)\.$/,
		),
	);
});

test('columns that cannot be used are named', async () => {
	tables().createTable(TABLE, { ...OLD_COLUMNS, phone: 'date', itemkey: 'string' });

	await expect(open()).rejects.toMatchObject(
		said(
			/"Contact book" cannot be used as contact book: "phone" must be of the type string, "itemkey" must be named "itemKey"$/,
			/^Rename or remove these columns/,
		),
	);
});

describe('a table that was used', () => {
	const rename = async (): Promise<string> => {
		const { id } = (await open()) ?? {};
		tables().table(TABLE).name = 'Old';
		return id ?? '';
	};

	test('is used again, by its name and by its ID', async () => {
		const used = [(await open())?.id ?? ''];

		expect(await open({ used })).toEqual(await open({ name: used[0], used }));
	});

	test('and has another name is not replaced', async () => {
		const used = [await rename()];

		await expect(open({ used })).rejects.toMatchObject(
			said(
				/"Contact book" was renamed: it is "Old" now/,
				new RegExp(`^Give it back .* ${used[0]},`),
			),
		);
		tables().createTable(TABLE, COLUMNS);
		await expect(open({ used })).rejects.toMatchObject(
			said(/was renamed/, new RegExp(`^Enter its ID, ${used[0]},.* "Contact book" now: copy`)),
		);
	});

	test('and is gone, is replaced by one that is made for it', async () => {
		const { id } = (await open()) ?? {};
		tables().dropTable(TABLE);

		expect((await open({ used: [id ?? ''] }))?.id).not.toBe(id);
	});
});

test('what cannot be found says what to do', async () => {
	await expect(open({ name: 'aB3dE5fG7hJ9kL1m' })).rejects.toMatchObject(
		said(/no Data Table with the ID "aB3dE5fG7hJ9kL1m"/, /^Somebody may have removed it/),
	);
	const unlisted = answering(({ method }) => (method === 'GET' ? { data: [] } : undefined));
	await expect(open({ send: unlisted })).rejects.toMatchObject(
		said(/"Contact book" was made, and n8n does not list it/, /^Check whose API key/),
	);
	const twice = answering(({ method }) =>
		method === 'GET'
			? { data: [1, 2].map((id) => ({ id: `${id}`, name: TABLE, columns: [] })) }
			: undefined,
	);
	await expect(open({ send: twice })).rejects.toMatchObject(
		said(
			/^There are 2 Data Tables with the name "Contact book"$/,
			/^Enter the ID of the right one/,
		),
	);
	const page = answering(() => ({ what: 'n8n does not say' }));
	await expect(open({ send: page })).rejects.toMatchObject({
		message: "This address does not answer like n8n's public API",
	});
});

test('what another process has made at the same moment is used', async () => {
	const others =
		(path: RegExp): ApiSend =>
		async (request) => {
			const answer = await sendTo(tables())(request);
			return request.method === 'POST' && path.test(request.path)
				? await sendTo(tables())(request)
				: answer;
		};

	expect(await open({ send: others(/data-tables$/) })).toMatchObject({ namesItems: true });
	tables().createTable('Second', { phone: 'string' });
	expect(await open({ name: 'Second', send: others(/columns$/) })).toMatchObject({
		namesItems: true,
	});
});

describe('a table that holds nobody back', () => {
	const row = { phone: '+15550001000', outcome: 'accepted' };
	const create = (name: string, holds: object, columns: object = COLUMNS): string => {
		const table = tables().createTable(name, columns as typeof COLUMNS);
		table.insert(holds as typeof row);
		return table.id;
	};
	const check = async (name: string, id: string, used: string[] = []) => {
		await checkIsMeant(sendTo(tables()), name, new Set(used), { id, namesItems: true });
	};

	test('is not used beside other books that do: its name may be mistyped', async () => {
		create('With a contact', { ...row, outcome: 'claimed' });
		create('With an opt-out', { ...row, outcome: null, doNotContact: true }, OLD_COLUMNS);
		create('Empty', { ...row, outcome: 'notMade' });
		create('No book', row, { phone: 'string', outcome: 'string' });
		const lost = create('Lost', row);
		tables().fail({ when: ({ path }) => path.includes(lost), answer: { status: 404, body: {} } });
		const id = create('Contact bok', {});

		await expect(check('Contact bok', id)).rejects.toMatchObject(
			said(
				/^The Data Table "Contact bok" holds nobody back in live mode: .* are in "With an? [-a-z]+", "With an? [-a-z]+"$/,
				/^Correct Table .*Only to begin a new book, .* enter the ID of its table there, /,
			),
		);
	});

	test('is not made beside another book by a run, only by the test of the credential', async () => {
		create('With a contact', row);
		create('Empty', {});

		await expect(open()).rejects.toMatchObject(
			said(/^There is no .* "Contact book": .* are in "With a contact"$/, /enter its ID/),
		);
		expect(tables().hasTable(TABLE)).toBe(false);
		await open({ making: 'always' });
		expect(tables().hasTable(TABLE)).toBe(true);
	});

	test.each([
		['a contact without a mode', { mode: null }],
		['a contact of a mode that a person has named', { mode: 'Sales' }],
		['a contact of live mode', { mode: 'live' }],
		['a redirected contact as a person writes it', { mode: 'Redirect' }],
		['an opt-out', { mode: 'redirect', doNotContact: true }],
	])('is made beside a book with redirected contacts only, not if it has %s', async (_, more) => {
		const redirected = { ...row, mode: 'redirect' };
		create('Tests', redirected);
		await open({ name: 'First' });

		tables()
			.table('Tests')
			.insert({ ...redirected, ...more });
		await expect(open()).rejects.toMatchObject(said(/are in "Tests"$/, /enter its ID/));
	});

	test('is opened if another process has made it in the meantime, and has used it', async () => {
		const send = answering(({ path }) => {
			if (path.includes('%7B%7D')) create(TABLE, row);
			return undefined;
		});

		expect(await open({ send })).toMatchObject({ id: tables().table(TABLE).id });
	});

	test('is not used as long as n8n fails to read another book', async () => {
		const other = create('Other', row);
		const id = create(TABLE, {});
		tables().fail({ when: ({ path }) => path.includes(other), answer: { status: 500, body: {} } });

		await expect(check(TABLE, id)).rejects.toMatchObject({ status: 500 });
	});

	test('is used if its ID was entered, or if it was used before, and as soon as it holds somebody back', async () => {
		create('Other', row);
		const id = create(TABLE, {});

		await check(id, id);
		await check(TABLE, id, [id]);
		await expect(check(TABLE, id)).rejects.toThrow();
		tables().table(TABLE).insert(row);
		await check(TABLE, id);
	});

	test('is used if another process has its first contact in the meantime', async () => {
		const id = create(TABLE, {});
		const send = answering(({ path }) => {
			if (path.includes('%7B%7D')) tables().table(TABLE).insert(row);
			return undefined;
		});

		await checkIsMeant(send, TABLE, new Set(), { id, namesItems: true });

		expect(tables().table(TABLE).rows).toHaveLength(2);
	});
});
