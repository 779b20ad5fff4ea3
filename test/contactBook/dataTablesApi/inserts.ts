import { FIRST, invalid, refused, row, ROWS, type ApiRequest } from './request';

const insert = (title: string, body: object, gives: ApiRequest['gives']): ApiRequest => ({
	title: `insert: ${title}`,
	...{ method: 'POST', path: ROWS, body, gives },
});
const taken = (values: object, id: number, kept: object): ApiRequest =>
	insert(
		`${JSON.stringify(values)} is taken`,
		{ data: [values], returnType: 'all' },
		{ status: 200, data: [row(id, kept)] },
	);
const mismatch = (name: string, value: string, column: string, type: string, hint = '') =>
	insert(
		`${JSON.stringify(value)} is no ${column}`,
		{ data: [{ [name]: value }] },
		invalid(
			`value '${value}' does not match column type '${column}': '${name}' expects a ${type} but we got '${value}'${hint}`,
		),
	);
const LUXON =
	' <br/><br/> Consider using <a href="https://moment.github.io/luxon/api-docs/index.html#datetimefromformat" target="_blank"><code>DateTime.fromFormat</code></a> to work with custom date formats.';

export const inserts: readonly ApiRequest[] = [
	insert(
		'the IDs',
		{ data: [FIRST, { phone: '+492' }], returnType: 'id' },
		{ status: 200, data: [{ id: 1 }, { id: 2 }] },
	),
	insert(
		'the count',
		{ data: [{ phone: '', tries: 0, doNotContact: false }] },
		{ status: 200, data: { success: true, insertedRows: 1 } },
	),
	// Without a zone, n8n takes a date for one of the zone of the workflow that ran last.
	taken({ phone: '+49_3', contactedAt: '2025-01-02T00:00Z', tries: '7', doNotContact: 'true' }, 4, {
		...{ phone: '+49_3', contactedAt: '2025-01-02T00:00:00.000Z', tries: 7, doNotContact: true },
	}),
	taken({}, 5, {}),
	taken({ phone: 5, tries: true, doNotContact: 1 }, 6, {
		...{ phone: '5', tries: 1, doNotContact: true },
	}),
	taken({ phone: true, contactedAt: '2025-01-02T03:04:05+02:00', tries: '' }, 7, {
		...{ phone: '1', contactedAt: '2025-01-02T01:04:05.000Z', tries: 0 },
	}),
	mismatch('tries', 'abc', 'number', 'number'),
	mismatch('doNotContact', 'yes', 'boolean', 'boolean'),
	mismatch('doNotContact', '', 'boolean', 'boolean'),
	mismatch('contactedAt', 'abc', 'date', 'dateTime', LUXON),
	insert(
		'no rows',
		{ data: [] },
		refused(400, 'request/body/data must NOT have fewer than 1 items'),
	),
	insert('no data', {}, refused(400, "request/body must have required property 'data'")),
	insert('no list', { data: {} }, refused(400, 'request/body/data must be array')),
	insert('no row', { data: [5] }, refused(400, 'request/body/data/0 must be object')),
	insert('no value', { data: [{ phone: {} }] }, refused(400, 'Invalid input')),
	insert(
		'an unknown answer',
		{ data: [{}], returnType: 'rows' },
		refused(
			400,
			'request/body/returnType must be equal to one of the allowed values: count, id, all',
		),
	),
	insert('an ID', { data: [{ id: 9 }] }, invalid("unknown column name 'id'")),
	insert(
		'a good row and a bad one: none is inserted',
		{ data: [{ phone: 'half' }, { foo: 1 }] },
		invalid("unknown column name 'foo'"),
	),
];
