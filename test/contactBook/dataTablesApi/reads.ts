import {
	cursor,
	ENCODED,
	filter,
	FIRST,
	INTERNAL,
	invalid,
	refused,
	row,
	ROWS,
	type ApiRequest,
} from './request';
const read = (title: string, query: Record<string, unknown>, rest: Partial<ApiRequest>) => ({
	title: `read: ${title}`,
	...({ method: 'GET', path: ROWS, query } as const),
	...rest,
});
export const found = (
	column: string,
	condition: string,
	value: unknown,
	...ids: number[]
): ApiRequest =>
	read(
		`${column} ${condition} ${String(value)}`,
		{ filter: filter('and', [column, condition, value]) },
		{ ids },
	);
export const sorted = (sortBy: string, ...ids: number[]): ApiRequest =>
	read(`in the order ${sortBy}`, { sortBy }, { ids });
const page = (limit: number, offset: number, ids: number[]): ApiRequest =>
	read(
		`a page made by ourselves: ${limit} after ${offset}`,
		{ cursor: cursor(limit, offset) },
		{ ids },
	);
const unread = (title: string, query: Record<string, unknown>, gives: ApiRequest['gives']) =>
	read(title, query, { gives });

export const reads: readonly ApiRequest[] = [
	unread(
		'the first page',
		{ limit: 2 },
		{
			status: 200,
			data: { data: [row(1, FIRST), row(2, { phone: '+492' })], nextCursor: cursor(2, 2) },
		},
	),
	page(2, 5, [6, 7]),
	page(1000, 0, [1, 2, 3, 4, 5, 6, 7]),
	page(0, 0, [1, 2, 3, 4, 5, 6, 7]),
	page(2, 100, []),
	unread(
		'the last page',
		{ cursor: cursor(2, 6) },
		{
			status: 200,
			data: {
				data: [row(7, { phone: '1', contactedAt: '2025-01-02T01:04:05.000Z', tries: 0 })],
				nextCursor: null,
			},
		},
	),
	read(
		'either of two',
		{ filter: filter('or', ['phone', 'eq', '+491'], ['phone', 'eq', '+492']) },
		{
			ids: [1, 2],
		},
	),
	read(
		'both of two',
		{ filter: filter('and', ['phone', 'eq', '+491'], ['tries', 'gt', 1]) },
		{ ids: [1] },
	),
	read(
		'without type and condition',
		{ filter: { filters: [{ columnName: 'phone', value: '+491' }] } },
		{
			ids: [1],
		},
	),
	read('an empty filter', { filter: {} }, { ids: [1, 2, 3, 4, 5, 6, 7] }),
	found('phone', 'neq', '+491', 2, 3, 4, 5, 6, 7),
	found('phone', 'like', '49', 1, 2, 4),
	found('phone', 'like', '+49_%', 4),
	found('phone', 'ilike', '+49_', 4),
	found('phone', 'gt', '+491', 2, 4, 6, 7),
	found('phone', 'eq', 5, 6),
	found('phone', 'isEmpty', null, 3, 5),
	found('phone', 'isNotEmpty', null, 1, 2, 4, 6, 7),
	found('tries', 'isEmpty', null, 2, 5),
	found('tries', 'isNotEmpty', null, 1, 3, 4, 6, 7),
	found('tries', 'gte', 1.5, 1, 4),
	found('tries', 'lte', 0, 3, 7),
	found('doNotContact', 'eq', true, 1, 4, 6),
	found('doNotContact', 'eq', 'true', 1, 4, 6),
	found('doNotContact', 'eq', null, 2, 5, 7),
	found('doNotContact', 'neq', true, 2, 3, 5, 7),
	found('doNotContact', 'neq', null, 1, 3, 4, 6),
	found('id', 'gt', 5, 6, 7),
	found('id', 'eq', '2', 2),
	// On SQLite every moment of the day that is asked for counts as earlier, and nothing is equal.
	found('contactedAt', 'eq', '2025-01-01T00:00:00.123Z'),
	found('contactedAt', 'gte', '2025-01-02T00:00:00.000Z'),
	found('contactedAt', 'gte', '2025-01-01T23:59:59.999Z', 4, 7),
	found('contactedAt', 'lt', '2025-01-01T00:00:00.000Z', 1),
	found('contactedAt', 'lt', '2024-12-31T23:59:59.999Z'),
	found('createdAt', 'gt', '2020-01-01T00:00:00.000Z', 1, 2, 3, 4, 5, 6, 7),
	sorted('id:desc', 7, 6, 5, 4, 3, 2, 1),
	sorted('phone:desc', 6, 7, 4, 2, 1, 3, 5),
	sorted('contactedAt:asc', 2, 3, 5, 6, 1, 4, 7),
	sorted('doNotContact:asc', 2, 5, 7, 3, 1, 4, 6),
	sorted('updatedAt:asc', 1, 2, 3, 4, 5, 6, 7),
	unread('an unknown order', { sortBy: 'foo:asc' }, INTERNAL),
	unread(
		'no direction',
		{ sortBy: 'phone' },
		refused(400, 'Invalid sort format, expected <columnName>:<asc/desc>'),
	),
	unread('a bad direction', { sortBy: 'phone:up' }, refused(400, 'Invalid sort direction')),
	{
		title: 'read: an order that is not encoded',
		...{ method: 'GET', path: ROWS, rawQuery: 'sortBy=id:asc' },
		gives: ENCODED('sortBy'),
	},
	unread(
		'an unknown column',
		{ filter: filter('and', ['foo', 'eq', 1]) },
		invalid("unknown column name 'foo'"),
	),
	unread(
		'a value of another type',
		{ filter: filter('and', ['tries', 'eq', 'abc']) },
		invalid(
			"value 'abc' does not match column type 'number': 'tries' expects a number but we got 'abc'",
		),
	),
	unread(
		'like a number',
		{ filter: filter('and', ['tries', 'like', '1']) },
		invalid('LIKE filter value must be a string'),
	),
	unread(
		'like nothing',
		{ filter: filter('and', ['phone', 'like', null]) },
		invalid('LIKE filter value cannot be null or undefined'),
	),
	unread(
		'more than nothing',
		{ filter: filter('and', ['phone', 'gt', null]) },
		invalid('GT filter value cannot be null or undefined'),
	),
	unread(
		'a filter in a filter',
		{ filter: { filters: [filter('or')] } },
		refused(400, 'Invalid filter fields'),
	),
	unread(
		'an unknown condition',
		{ filter: filter('and', ['phone', 'has', '']) },
		refused(400, 'Invalid filter fields'),
	),
	unread(
		'no JSON',
		{ filter: '{' },
		refused(400, 'request/query/filter must match format "jsonString"'),
	),
	unread('251', { limit: 251 }, refused(400, 'request/query/limit must be <= 250')),
	unread(
		'less than none',
		{ limit: -1 },
		refused(400, 'Param `limit` must be a non-negative integer'),
	),
	unread('an offset', { offset: 2 }, refused(400, "Unknown query parameter 'offset'")),
	unread('a bad cursor', { cursor: 'zzz' }, refused(400, 'An invalid cursor was provided')),
	read(
		'more than the head of a request holds',
		{
			filter: filter(
				'or',
				...Array.from(
					{ length: 250 },
					(_, index) => ['phone', 'eq', `+4915112345${index}`] as const,
				),
			),
		},
		{ gives: { status: 431, data: '' } },
	),
];
