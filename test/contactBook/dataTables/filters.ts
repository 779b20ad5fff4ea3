import {
	cellFor,
	databaseError,
	invalid,
	SYSTEM_TYPES,
	type Cell,
	type Row,
	type Types,
} from './values';

/** The database under n8n. They differ in dates, in the place of empty values, and in how much a filter may hold. */
export type Database = 'sqlite' | 'postgres';

export type Condition =
	'eq' | 'neq' | 'like' | 'ilike' | 'gt' | 'gte' | 'lt' | 'lte' | 'isEmpty' | 'isNotEmpty';

export interface FilterEntry {
	readonly columnName: string;
	readonly condition: Condition;
	readonly value: Cell;
}

export interface Filter {
	readonly type: 'and' | 'or';
	readonly filters: readonly FilterEntry[];
}

type Test = (row: Row) => boolean;

/** How many entries SQLite takes: it bounds the depth of an expression. */
const SQLITE_DEPTH = { and: 998, or: 999 };

/**
 * Whether a row is meant by a filter; one without entries means every row.
 * @throws Refusal 400 for unknown columns and values, 500 for more entries than the database takes
 */
export function testOf({ type, filters }: Filter, columns: Types, database: Database): Test {
	const types: Types = new Map([...SYSTEM_TYPES, ...columns]);
	// n8n looks at all values before it looks at any condition.
	const values = filters.map(({ columnName, value }) => cellFor(types, columnName, value));
	const tests = filters.map((filter, index) =>
		testOfEntry({ ...filter, value: values[index] ?? null }, types, database),
	);
	if (database === 'sqlite' && tests.length > SQLITE_DEPTH[type]) {
		throw databaseError();
	}
	if (tests.length === 0) return () => true;
	return type === 'or'
		? (row) => tests.some((test) => test(row))
		: (row) => tests.every((test) => test(row));
}

function testOfEntry(
	{ columnName, condition, value }: FilterEntry,
	types: Types,
	database: Database,
): Test {
	const type = types.get(columnName);
	const empty: Test =
		type === 'string'
			? (row) => (row[columnName] ?? '') === ''
			: (row) => (row[columnName] ?? null) === null;
	switch (condition) {
		case 'isEmpty':
			return empty;
		case 'isNotEmpty':
			return (row) => !empty(row);
		case 'like':
		case 'ilike': {
			const pattern = patternOf(condition, value);
			return (row) => pattern.test(String(row[columnName] ?? ''));
		}
	}
	if (value === null) {
		if (condition === 'eq') return (row) => (row[columnName] ?? null) === null;
		if (condition === 'neq') return (row) => (row[columnName] ?? null) !== null;
		throw invalid(`${condition.toUpperCase()} filter value cannot be null or undefined`);
	}
	const asStored = type === 'date' ? storedDate(database) : comparable;
	const asked = comparable(value);
	return (row) => {
		const cell = row[columnName] ?? null;
		if (cell === null) return condition === 'neq';
		return holds(condition, compare(asStored(cell), asked));
	};
}

function patternOf(condition: 'like' | 'ilike', value: Cell): RegExp {
	const name = condition.toUpperCase();
	if (value === null) throw invalid(`${name} filter value cannot be null or undefined`);
	if (typeof value !== 'string') throw invalid(`${name} filter value must be a string`);
	const parts = (value.includes('%') ? value : `%${value}%`).split('%');
	const source = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*');
	return new RegExp(`^${source}$`, condition === 'ilike' ? 'is' : 's');
}

const comparable = (cell: string | number | boolean): string | number =>
	typeof cell === 'boolean' ? Number(cell) : cell;

/**
 * SQLite compares texts, and n8n asks for a date with "T" and "Z" that it has stored with a blank and without: every
 * moment of the day that is asked for counts as earlier, and nothing is equal.
 */
const storedDate =
	(database: Database) =>
	(cell: string | number | boolean): string | number =>
		database === 'sqlite' ? String(cell).replace('T', ' ').replace('Z', '') : comparable(cell);

const compare = (one: string | number, other: string | number): number =>
	one < other ? -1 : Number(one > other);

function holds(condition: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte', order: number): boolean {
	switch (condition) {
		case 'eq':
			return order === 0;
		case 'neq':
			return order !== 0;
		case 'gt':
			return order > 0;
		case 'gte':
			return order >= 0;
		case 'lt':
			return order < 0;
		case 'lte':
			return order <= 0;
	}
}

/** A column and its direction. */
export type Sorting = readonly [column: string, direction: 'ASC' | 'DESC'];

/**
 * The rows in the order of a column, and of their ID among equals. SQLite puts empty values first, PostgreSQL last.
 * @throws Refusal 500 for an unknown column
 */
export function sorted(
	rows: readonly Row[],
	[column, direction]: Sorting,
	types: Types,
	database: Database,
): Row[] {
	if (!types.has(column) && !SYSTEM_TYPES.has(column)) throw databaseError();
	const sign = direction === 'ASC' ? 1 : -1;
	const emptyIs = database === 'sqlite' ? -1 : 1;
	const order = (one: Cell, other: Cell): number => {
		if (one === null || other === null)
			return emptyIs * (Number(one === null) - Number(other === null));
		return compare(comparable(one), comparable(other));
	};
	return [...rows].sort(
		(one, other) => sign * order(one[column] ?? null, other[column] ?? null) || one.id - other.id,
	);
}
