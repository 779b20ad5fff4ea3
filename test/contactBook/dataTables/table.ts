import { randomBytes } from 'node:crypto';
import { sorted, testOf, type Database, type Filter, type Sorting } from './filters';
import {
	cellFor,
	databaseError,
	Refusal,
	SYSTEM_TYPES,
	type Cell,
	type Column,
	type ColumnType,
	type Row,
	type Types,
} from './values';

/** Values of a row by column. */
export type Values = Readonly<Record<string, Cell>>;

/** 16 letters and digits, as n8n makes them. */
const newId = (): string => randomBytes(8).toString('hex');
const now = (): string => new Date().toISOString();

const RESERVED = new Set([...SYSTEM_TYPES.keys(), 'dryRunState'].map((name) => name.toLowerCase()));

/** A Data Table: what is committed, and the next ID. */
export class Table {
	readonly id = newId();
	readonly createdAt = now();
	updatedAt = this.createdAt;
	readonly #columns: Column[] = [];
	#rows: readonly Row[] = [];
	#lastId = 0;

	constructor(
		/** People rename tables. */
		public name: string,
		private readonly database: Database,
	) {}

	/** In their order on the screen. */
	get columns(): readonly Column[] {
		return this.#columns;
	}

	/** The rows that everybody can see, in order of ID. */
	get rows(): readonly Row[] {
		return this.#rows;
	}

	/**
	 * @param ofNewTable n8n answers otherwise when a column comes with its table
	 * @throws Refusal for a name that is taken
	 */
	addColumn(name: string, type: ColumnType, ofNewTable = false): Column {
		if (RESERVED.has(name.toLowerCase())) {
			const kind = SYSTEM_TYPES.has(name) ? 'system' : 'testing';
			throw new Refusal(
				ofNewTable ? 400 : 409,
				`Column name "${name}" is reserved as a ${kind} column name.`,
			);
		}
		const isTaken = this.#columns.some((column) => column.name === name);
		if (isTaken && !ofNewTable) {
			throw new Refusal(
				409,
				`Data table column with name '${name}' already exists in data table '${this.name}'`,
			);
		}
		if (isTaken || (this.database === 'sqlite' && this.#hasAnyCase(name))) throw databaseError();
		const createdAt = now();
		const index = this.#columns.length;
		const column = { id: newId(), name, type, index, createdAt, updatedAt: createdAt };
		this.#columns.push(column);
		this.#touch();
		return column;
	}

	/**
	 * The statement of an insert: gives each row its ID and its time. Nobody sees them before they are committed.
	 * @throws Refusal 400, and then none is inserted
	 */
	insertStatement(rows: readonly Values[]): Row[] {
		const types = this.#types();
		const read = rows.map((row) => this.#read(row, types));
		const at = now();
		const empty = Object.fromEntries(this.#columns.map(({ name }) => [name, null]));
		return read.map((values) => {
			this.#lastId += 1;
			return { ...empty, ...values, id: this.#lastId, createdAt: at, updatedAt: at };
		});
	}

	/** Makes inserted rows visible. */
	commit(rows: readonly Row[]): void {
		this.#rows = [...this.#rows, ...rows].sort((one, other) => one.id - other.id);
		this.#touch();
	}

	/**
	 * An update in one step, as n8n's database makes it.
	 * @returns the changed rows as they are afterwards
	 * @throws Refusal 400, and then nothing is changed
	 */
	update(filter: Filter, data: Values, dryRun = false): { before: Row[]; after: Row[] } {
		const types = this.#types();
		if (types.size === 0) throw noColumns();
		const changes = this.#read(data, types);
		const isMeant = testOf(filter, types, this.database);
		const before = this.#rows.filter(isMeant);
		const updatedAt = now();
		const changed = new Map(before.map((row) => [row.id, { ...row, ...changes, updatedAt }]));
		if (!dryRun) {
			this.#rows = this.#rows.map((row) => changed.get(row.id) ?? row);
			this.#touch();
		}
		return { before, after: [...changed.values()] };
	}

	/**
	 * The visible rows that a filter means, in order.
	 * @throws Refusal 400 for a filter, 500 for a column to sort by that is not there
	 */
	find(filter: Filter, sorting: Sorting): Row[] {
		const types = this.#types();
		const found = this.#rows.filter(testOf(filter, types, this.database));
		return sorted(found, sorting, types, this.database);
	}

	/** Adds a row as a person does in n8n's editor; gives its ID. */
	insert(values: Values): number {
		const rows = this.insertStatement([values]);
		this.commit(rows);
		return rows[0]?.id ?? 0;
	}

	/** Changes a row as a person does in n8n's editor. */
	edit(id: number, values: Values): void {
		const filters = [{ columnName: 'id', condition: 'eq', value: id } as const];
		const { after } = this.update({ type: 'and', filters }, values);
		if (after.length === 0) throw new Error(`There is no row ${id}`);
	}

	/** Takes a row away as a person does in n8n's editor. */
	delete(id: number): void {
		this.#rows = this.#rows.filter((row) => row.id !== id);
		this.#touch();
	}

	#types(): Types {
		return new Map(this.#columns.map(({ name, type }) => [name, type]));
	}

	#read(values: Values, types: Types): Values {
		const read = Object.entries(values).map(([name, value]) => [name, cellFor(types, name, value)]);
		return Object.fromEntries(read) as Values;
	}

	/** SQLite does not tell columns apart by case, and n8n does not look. */
	#hasAnyCase(name: string): boolean {
		return this.#columns.some((column) => column.name.toLowerCase() === name.toLowerCase());
	}

	#touch(): void {
		this.updatedAt = now();
	}
}

const noColumns = (): Refusal =>
	new Refusal(
		400,
		'Validation error with data table request: No columns found for this data table or data table not found',
	);
