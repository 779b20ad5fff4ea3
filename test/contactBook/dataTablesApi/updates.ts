import { filter, FIRST, INTERNAL, invalid, refused, row, UPDATE, type ApiRequest } from './request';
import { found, sorted } from './reads';
const update = (title: string, body: object, gives: ApiRequest['gives']): ApiRequest => ({
	title: `update: ${title}`,
	...{ method: 'PATCH', path: UPDATE, body, gives },
});
const first = filter('and', ['id', 'eq', 1]);
const many = (type: string, condition: string, count: number) =>
	filter(
		type,
		...Array.from({ length: count }, (_, index) => ['id', condition, index + 1] as const),
	);

export const updates: readonly ApiRequest[] = [
	update('one', { filter: first, data: { phone: 'new' } }, { status: 200, data: true }),
	sorted('updatedAt:asc', 2, 3, 4, 5, 6, 7, 1),
	update(
		'two, with what they are now',
		{ filter: many('or', 'eq', 2), data: { phone: 'both', tries: null }, returnData: true },
		{
			status: 200,
			data: [row(1, { ...FIRST, phone: 'both', tries: null }), row(2, { phone: 'both' })],
		},
	),
	update(
		'only in thought',
		{ filter: filter('and', ['id', 'eq', 5]), data: { phone: 'dry' }, dryRun: true },
		{
			status: 200,
			data: [
				{ ...row(5, {}), dryRunState: 'before' },
				{ ...row(5, { phone: 'dry' }), dryRunState: 'after' },
			],
		},
	),
	found('phone', 'eq', 'dry'),
	update(
		'none',
		{ filter: filter('and', ['id', 'eq', 0]), data: { phone: '' } },
		{ status: 200, data: true },
	),
	update(
		'none, with what they are now',
		{ filter: filter('and', ['id', 'eq', 0]), data: { phone: '' }, returnData: true },
		{ status: 200, data: [] },
	),
	update(
		'no filter',
		{ data: { phone: '' } },
		refused(400, "request/body must have required property 'filter'"),
	),
	update(
		'an empty filter',
		{ filter: filter('and'), data: { phone: '' } },
		refused(400, 'request/body/filter/filters must NOT have fewer than 1 items'),
	),
	update(
		'isEmpty, which only a read knows',
		{ filter: filter('and', ['phone', 'isEmpty', null]), data: { phone: '' } },
		refused(
			400,
			'request/body/filter/filters/0/condition must be equal to one of the allowed values: eq, neq, like, ilike, gt, gte, lt, lte',
		),
	),
	update(
		'without a condition',
		{ filter: { filters: [{ columnName: 'id', value: 1 }] }, data: { phone: '' } },
		refused(400, "request/body/filter/filters/0 must have required property 'condition'"),
	),
	update('no data', { filter: first, data: {} }, refused(400, 'data must not be empty')),
	update(
		'a list of data',
		{ filter: first, data: [{ phone: '' }] },
		refused(400, 'request/body/data must be object'),
	),
	update(
		'an unknown column',
		{ filter: first, data: { foo: 1 } },
		invalid("unknown column name 'foo'"),
	),
	update(
		'an unknown column to find by',
		{ filter: filter('and', ['foo', 'eq', 1]), data: { phone: '' } },
		invalid("unknown column name 'foo'"),
	),
	update('the ID', { filter: first, data: { id: 7 } }, invalid("unknown column name 'id'")),
	update(
		'999 by "or"',
		{ filter: many('or', 'eq', 999), data: { phone: 'all' } },
		{ status: 200, data: true },
	),
	update('1,000 by "or"', { filter: many('or', 'eq', 1000), data: { phone: 'all' } }, INTERNAL),
	update(
		'998 by "and"',
		{ filter: many('and', 'neq', 998), data: { phone: 'none' } },
		{ status: 200, data: true },
	),
	update('999 by "and"', { filter: many('and', 'neq', 999), data: { phone: 'none' } }, INTERNAL),
	found('phone', 'eq', 'all', 1, 2, 3, 4, 5, 6, 7),
];
