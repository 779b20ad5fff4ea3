import { randomUUID } from 'node:crypto';
import type { Database } from './filters';
import { readTableFilter, type Body, type Page } from './queries';
import { Table } from './table';
import { invalid, Refusal, type Column } from './values';

/** The scopes that a key needs for everything that this server does. */
export const SCOPES = [
	'dataTable:list',
	'dataTable:create',
	'dataTableColumn:read',
	'dataTableColumn:create',
	'dataTableRow:read',
	'dataTableRow:create',
	'dataTableRow:update',
] as const;

export type Scope = (typeof SCOPES)[number];

const SORTINGS = ['name', 'createdAt', 'updatedAt', 'size'].flatMap((field) => [
	`${field}:asc`,
	`${field}:desc`,
]);

/** The Data Tables of an n8n, and the keys to them. */
export class Tables {
	/** Whether the tables have reached n8n's limit of their size. */
	isFull = false;
	readonly #keys = new Map<string, ReadonlySet<string>>();
	#tables: readonly Table[] = [];

	constructor(private readonly database: Database) {}

	/** A new API key. */
	keyWith(scopes: readonly Scope[]): string {
		const key = randomUUID();
		this.#keys.set(key, new Set(scopes));
		return key;
	}

	/** @throws Refusal 401, also for every key of an n8n whose API is switched off */
	scopesOf(key: string | undefined): ReadonlySet<string> {
		if (!key) throw new Refusal(401, "'X-N8N-API-KEY' header required");
		const scopes = this.#keys.get(key);
		if (scopes === undefined) throw new Refusal(401, 'unauthorized');
		return scopes;
	}

	/** @throws Refusal 404 */
	byId(id: string): Table {
		const found = this.#tables.find((table) => table.id === id);
		if (!found) throw new Refusal(404, `Could not find the data table: '${id}'`);
		return found;
	}

	/** The table of this name. */
	find(name: string): Table | undefined {
		return this.#tables.find((table) => table.name === name);
	}

	/**
	 * A new table as the API answers it.
	 * @throws Refusal 409 for a name that is taken, 400 and 500 for columns, and then there is no table
	 */
	create({ name, columns }: Body<'createTable'>): object {
		if (this.find(name))
			throw new Refusal(409, `Data table with name '${name}' already exists in this project`);
		const table = new Table(name, this.database);
		for (const column of columns) table.addColumn(column.name, column.type, true);
		this.#tables = [...this.#tables, table];
		const { id: dataTableId } = table;
		return asListed(table, (column) => ({ ...column, dataTableId }));
	}

	/** A person deletes a table. */
	drop(id: string): void {
		this.#tables = this.#tables.filter((table) => table.id !== id);
	}

	/**
	 * The tables that a filter means, as the API lists them: the name is looked for inside of names, with "%" and "_" of
	 * SQL and in any case, and the newest change stands first.
	 * @throws Refusal 400
	 */
	list(page: Page): object[] {
		const { sortBy = 'updatedAt:desc' } = page;
		if (!SORTINGS.includes(sortBy))
			throw new Refusal(400, `sortBy must be one of: ${SORTINGS.join(', ')}`);
		const { id, name = [], projectId } = readTableFilter(page);
		const names = [name].flat().map(likePattern);
		const found = this.#tables.filter(
			(table) =>
				(id === undefined || [id].flat().includes(table.id)) &&
				(projectId === undefined || projectId === PROJECT) &&
				names.every((pattern) => pattern.test(table.name)),
		);
		const [field = '', direction] = sortBy.split(':');
		const sign = direction === 'asc' ? 1 : -1;
		return found
			.sort((one, other) => sign * keyOf(one, field).localeCompare(keyOf(other, field)))
			.map((table) => asListed(table));
	}

	/** @throws Refusal 400 once the limit of n8n is reached, to inserts and updates */
	checkSize(): void {
		if (this.isFull) throw invalid('Data table size limit exceeded: 200MB used, limit is 200MB');
	}
}

const PROJECT = 'personalProject1';

function keyOf({ name, createdAt, updatedAt }: Table, field: string): string {
	return { name: name.toLowerCase(), createdAt, updatedAt }[field] ?? '';
}

/** In the list, columns have no order. */
function asListed(table: Table, asColumn: (column: Column) => object = (column) => column): object {
	const { id, name, createdAt, updatedAt } = table;
	const columns = [...table.columns].sort((one, other) => one.id.localeCompare(other.id));
	const sizeBytes = 4096;
	return {
		id,
		name,
		projectId: PROJECT,
		createdAt,
		updatedAt,
		sizeBytes,
		columns: columns.map(asColumn),
	};
}

function likePattern(name: string): RegExp {
	const source = name
		.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
		.replaceAll('%', '.*')
		.replaceAll('_', '.');
	return new RegExp(source, 'is');
}
