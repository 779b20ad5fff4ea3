import {
	filter,
	FORBIDDEN,
	NO_TABLE,
	NOWHERE,
	refused,
	TABLES,
	UNAUTHORIZED,
	type ApiRequest,
} from './request';

export const access: readonly ApiRequest[] = [
	{
		title: 'no key',
		...{ key: 'none', method: 'GET', path: TABLES },
		gives: refused(401, "'X-N8N-API-KEY' header required"),
	},
	{ title: 'a wrong key', key: 'bad', method: 'GET', path: TABLES, gives: UNAUTHORIZED },
	{
		title: 'a wrong key counts before a wrong body',
		...{ key: 'bad', method: 'POST', path: TABLES, body: {} },
		gives: UNAUTHORIZED,
	},
	{ title: 'no such path', method: 'GET', path: '/nothing', gives: refused(404, 'not found') },
	{
		title: 'no such method',
		...{ method: 'PUT', path: TABLES, body: {} },
		gives: refused(405, 'PUT method not allowed'),
	},
	{
		title: 'no JSON',
		...{ method: 'POST', path: TABLES },
		gives: refused(415, 'unsupported media type application/x-www-form-urlencoded'),
	},
	{
		title: 'no scope to list',
		...{ key: { without: ['dataTable:list'] }, method: 'GET', path: TABLES },
		gives: FORBIDDEN,
	},
];

/** Each tells whether a key has a scope, and writes nothing: with it, another refusal comes. */
export const scopeTests: readonly ApiRequest[] = (
	[
		['dataTable:create', 'POST', TABLES, { name: ' ', columns: [] }],
		['dataTableColumn:read', 'GET', `${NOWHERE}/columns`, undefined],
		['dataTableColumn:create', 'POST', `${NOWHERE}/columns`, { name: 'a', type: 'string' }],
		['dataTableRow:read', 'GET', `${NOWHERE}/rows`, undefined],
		['dataTableRow:create', 'POST', `${NOWHERE}/rows`, { data: [{}] }],
		[
			...(['dataTableRow:update', 'PATCH', `${NOWHERE}/rows/update`] as const),
			{ filter: filter('and', ['id', 'eq', 0]), data: { phone: '' } },
		],
	] as const
).flatMap(([scope, method, path, body]) => [
	{
		title: `without ${scope}`,
		...{ key: { without: [scope] }, method, path, body },
		gives: FORBIDDEN,
	},
	{
		title: `with ${scope}`,
		...{ method, path, body },
		gives: path === TABLES ? refused(400, 'String must contain at least 1 character(s)') : NO_TABLE,
	},
]);
