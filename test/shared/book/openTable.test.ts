import { COLUMNS } from '../../../nodes/shared/book/columns';
import { makeTable, openTable } from '../../../nodes/shared/book/openTable';
import type { ApiSend } from '../../../nodes/shared/book/tableApi';
import { TABLE } from '../../contactBook/bookFields';
import { useDataTables } from '../../contactBook/useDataTables';
import { sendTo } from './bookTable';

const tables = useDataTables();

const open = async (name = TABLE, send: ApiSend = sendTo(tables())) => await openTable(send, name);
const make = async (name = TABLE) => {
	await makeTable(sendTo(tables()), name);
};

/** As people's workflows read and write them. */
const TYPES = {
	string: [
		...['phone', 'operation', 'outcome', 'contactId', 'reference', 'workflow', 'execution', 'mode'],
		...['summary', 'list', 'reached', 'claim', 'wait', 'resumeUrl', 'callStartTime', 'variables'],
	],
	date: ['contactedAt', 'endedAt', 'callBackAt'],
	boolean: ['doNotContact'],
};
const typed = Object.entries(TYPES).flatMap(([type, names]) => names.map((name) => [name, type]));

const answering =
	(answer: (...request: Parameters<ApiSend>) => object | undefined): ApiSend =>
	async (request) => {
		const body = answer(request);
		return body ? { status: 200, body } : await sendTo(tables())(request);
	};

const columnsOf = (name: string) => Object.fromEntries(tables().table(name).types);

const said = (message: RegExp, hint: RegExp) => ({
	message: expect.stringMatching(message) as string,
	hint: expect.stringMatching(hint) as string,
});

test('a table with a similar name, or another ID, is another one', async () => {
	tables().createTable(`${TABLE} 2`, COLUMNS);
	const everything = answering(({ method, path }) =>
		method === 'GET' && path.includes('%22id%22')
			? { data: [{ id: 'another', name: 'x', columns: [] }] }
			: undefined,
	);
	const none = said(/^There is no Data Table "Contact book" any more/, /test the credential\.$/);

	await expect(open()).rejects.toMatchObject(none);
	await expect(open(TABLE, everything)).rejects.toMatchObject(none);
	await expect(open('Contact\u200bbook')).rejects.toMatchObject(
		said(/^There is no Data Table "Contact\\u200bbook" any more/, /test the credential\.$/),
	);
	expect(tables().hasTable(TABLE)).toBe(false);
});

test('columns that are not there, or of a wrong type, are named with the right one, and not added', async () => {
	const { claim: _, ...rest } = COLUMNS;
	const columns = { ...rest, contactedAt: 'string', doNotContact: 'string' } as const;
	tables().createTable(TABLE, columns);

	await expect(open()).rejects.toMatchObject(
		said(
			/"Contact book" lacks columns/,
			/^Add them in n8n: contactedAt \(date\), doNotContact \(boolean\), claim \(string\)\./,
		),
	);
	expect(columnsOf(TABLE)).toEqual(columns);
});

test('of several tables with the name, none is used', async () => {
	const twice = answering(({ method }) =>
		method === 'GET'
			? { data: [1, 2].map((id) => ({ id: `${id}`, name: TABLE, columns: [] })) }
			: undefined,
	);
	await expect(open(TABLE, twice)).rejects.toMatchObject(
		said(
			/^There are 2 Data Tables with the name "Contact book"$/,
			/^Enter the ID of the right one/,
		),
	);
});

describe('a new table', () => {
	test('has all columns', async () => {
		tables().createTable('No book', { phone: 'string', outcome: 'string' });
		tables().createTable('Almost', { ...COLUMNS, phone: 'number' });
		await make();

		expect(columnsOf(TABLE)).toEqual(Object.fromEntries(typed));
		expect(await open()).toBe(tables().table(TABLE).id);
	});

	test('is not made beside a book, which is named, with the columns of a second one', async () => {
		tables().createTable('First', { own: 'number', ...COLUMNS });
		tables().createTable('Another', COLUMNS);

		await expect(make()).rejects.toMatchObject(
			said(
				/^There is no Data Table "Contact book", and n8n has a contact book: "First", "Another"$/,
				/make the table "Contact book" by hand, with the columns phone \(string\), .*variables \(string\)\.$/,
			),
		);
		expect(tables().hasTable(TABLE)).toBe(false);
	});

	test('is not made for an ID', async () => {
		await expect(make('aB3dE5fG7hJ9kL1m')).rejects.toMatchObject(
			said(/no Data Table with the ID "aB3dE5fG7hJ9kL1m"/, /^Somebody may have removed it/),
		);
	});
});
