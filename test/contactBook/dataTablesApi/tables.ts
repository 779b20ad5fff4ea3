import {
	BOOK,
	column,
	COLUMN_NAME,
	COLUMNS,
	ENCODED,
	inAnyOrder,
	INTERNAL,
	NAME,
	ofTable,
	refused,
	table,
	TABLES,
	TEXT,
	type ApiRequest,
} from './request';

const newColumns = [
	{ name: 'phone', type: 'string' },
	{ name: 'contactedAt', type: 'date' },
	{ name: 'tries', type: 'number' },
	{ name: 'doNotContact', type: 'boolean' },
];
const create = (title: string, body: object, gives: ApiRequest['gives']): ApiRequest => ({
	title: `create: ${title}`,
	...{ method: 'POST', path: TABLES, body, gives },
});
const list = (title: string, query: Record<string, unknown>, rest: Partial<ApiRequest>) => ({
	title: `list: ${title}`,
	...({ method: 'GET', path: TABLES, query } as const),
	...rest,
});
const addColumn = (title: string, body: object, gives: ApiRequest['gives']): ApiRequest => ({
	title: `column: ${title}`,
	...{ method: 'POST', path: `${BOOK}/columns`, body, gives },
});

export const tables: readonly ApiRequest[] = [
	{
		...create(
			'a table',
			{ name: `  ${NAME} `, columns: newColumns },
			{ status: 201, data: table(inAnyOrder(COLUMNS.map(ofTable(TEXT)))) },
		),
		remember: 'book',
	},
	create(
		'a name that is taken',
		{ name: NAME, columns: [] },
		refused(409, `Data table with name '${NAME}' already exists in this project`),
	),
	create(
		'no name',
		{ columns: [] },
		refused(400, "request/body must have required property 'name'"),
	),
	create(
		'an empty name',
		{ name: '', columns: [] },
		refused(400, 'request/body/name must NOT have fewer than 1 characters'),
	),
	create(
		'a bad name of a column',
		{ name: 'Never <suffix>', columns: [{ name: 'a b', type: 'string' }] },
		refused(400, COLUMN_NAME),
	),
	create(
		'a reserved name of a column',
		{ name: 'Never <suffix>', columns: [{ name: 'createdAt', type: 'string' }] },
		refused(400, 'Column name "createdAt" is reserved as a system column name.'),
	),
	create(
		'two columns of one name',
		{ name: 'Never <suffix>', columns: [newColumns[0], newColumns[0]] },
		INTERNAL,
	),
	create(
		'an unknown type',
		{ name: 'Never <suffix>', columns: [{ name: 'a', type: 'text' }] },
		refused(
			400,
			'request/body/columns/0/type must be equal to one of the allowed values: string, number, boolean, date, json',
		),
	),
	list(
		'by name, with the columns',
		{ filter: { name: NAME } },
		{
			gives: { status: 200, data: { data: [table(inAnyOrder(COLUMNS))], nextCursor: null } },
		},
	),
	list(
		'a part of the name in another case',
		{ filter: { name: 'BOOK (<suffix>' } },
		{
			ids: ['<id of book>'],
		},
	),
	list('wildcards of SQL', { filter: { name: 'contact_b%<suffix>' } }, { ids: ['<id of book>'] }),
	list('nothing of that name', { filter: { name: 'Never <suffix>' } }, { ids: [] }),
	list('by ID', { filter: { id: '<id of book>' } }, { ids: ['<id of book>'] }),
	list(
		'an unknown field',
		{ filter: { foo: 1 } },
		{ gives: refused(400, 'Invalid filter fields') },
	),
	list(
		'a bad order',
		{ sortBy: 'foo:asc' },
		{
			gives: refused(
				400,
				'sortBy must be one of: name:asc, name:desc, createdAt:asc, createdAt:desc, updatedAt:asc, updatedAt:desc, size:asc, size:desc',
			),
		},
	),
	{
		title: 'list: a blank as plus',
		...{ method: 'GET', path: TABLES, rawQuery: 'filter=%7B%22name%22%3A%22Contact+book%22%7D' },
		gives: ENCODED('filter'),
	},
	{
		title: 'list: what encodeURIComponent leaves',
		...{ method: 'GET', path: TABLES, rawQuery: 'filter=%7B%22name%22%3A%22(book)%22%7D' },
		gives: ENCODED('filter'),
	},
	{
		title: 'columns: all, in their order',
		...{ method: 'GET', path: `${BOOK}/columns` },
		gives: { status: 200, data: COLUMNS.map(ofTable('<id of book>')) },
	},
	addColumn(
		'a new one',
		{ name: 'extra', type: 'string' },
		{ status: 201, data: ofTable('<id of book>')(column('extra', 'string', 4)) },
	),
	addColumn(
		'once more',
		{ name: 'extra', type: 'string' },
		refused(409, `Data table column with name 'extra' already exists in data table '${NAME}'`),
	),
	addColumn('in another case', { name: 'Extra', type: 'string' }, INTERNAL),
	addColumn(
		'a reserved name',
		{ name: 'id', type: 'string' },
		refused(409, 'Column name "id" is reserved as a system column name.'),
	),
	addColumn(
		'a bad name',
		{ name: '1x', type: 'string' },
		refused(400, 'request/body/name must match pattern "^[a-zA-Z][a-zA-Z0-9_]*$"'),
	),
	{
		title: 'a table ID of another form',
		...{ method: 'GET', path: `${TABLES}/abc/rows` },
		gives: refused(400, 'request/params/dataTableId must match format "nanoid"'),
	},
];
