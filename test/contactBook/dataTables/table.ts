import { randomBytes } from 'node:crypto';
import type { RowFilter } from './requests';
import {
	cellFor,
	databaseError,
	SYSTEM_TYPES,
	type Cell,
	type Column,
	type Row,
	type Types,
} from './values';

export type Values = Readonly<Record<string, Cell>>;

/** 16 letters and digits, as n8n makes them. */
export const newId = (): string => randomBytes(8).toString('hex');
const now = (): string => new Date().toISOString();

/** How many entries of a filter SQLite takes: it bounds the depth of an expression. */
const MAX_ENTRIES = 999;

/** A Data Table: what is committed, and the next ID. */
export class Table {
	readonly id = newId();
	#rows: readonly Row[] = [];
	#lastId = 0;

	constructor(
		/** People rename tables. */
		public name: string,
		/** In their order on the screen. */
		readonly columns: readonly Column[],
	) {}

	get types(): Types {
		return new Map(this.columns.map(({ name, type }) => [name, type]));
	}

	/** The rows that everybody can see, in order of ID. */
	get rows(): readonly Row[] {
		return this.#rows;
	}

	/** Gives each row its ID and its time. Nobody sees them before they are committed. */
	insertStatement(rows: readonly Values[]): Row[] {
		const read = rows.map((row) => this.#read(row));
		const at = now();
		const empty = Object.fromEntries(this.columns.map(({ name }) => [name, null]));
		return read.map((values) => {
			this.#lastId += 1;
			return { ...empty, ...values, id: this.#lastId, createdAt: at, updatedAt: at };
		});
	}

	commit(rows: readonly Row[]): void {
		this.#rows = [...this.#rows, ...rows].sort((one, other) => one.id - other.id);
	}

	/** In one step, as n8n's database makes it; gives the rows that it has changed. */
	update(filter: RowFilter, data: Values): Row[] {
		const changes = this.#read(data);
		const isMeant = this.#testOf(filter);
		const updatedAt = now();
		const changed: Row[] = [];
		this.#rows = this.#rows.map((row) => {
			if (!isMeant(row)) return row;
			const after = { ...row, ...changes, updatedAt };
			changed.push(after);
			return after;
		});
		return changed;
	}

	/** The visible rows that a filter means, in the order of their ID or of their last change. */
	find(filter: RowFilter, sortBy: string | null): Row[] {
		const found = this.#rows.filter(this.#testOf(filter));
		if (sortBy === 'id:asc') return found;
		if (sortBy !== 'updatedAt:asc') throw databaseError();
		return found.sort((one, other) => one.updatedAt.localeCompare(other.updatedAt));
	}

	/** Adds a row as a person does in n8n's editor; gives its ID. */
	insert(values: Values): number {
		const rows = this.insertStatement([values]);
		this.commit(rows);
		return rows[0]?.id ?? 0;
	}

	edit(id: number, values: Values): void {
		const filters = [{ columnName: 'id', condition: 'eq', value: id } as const];
		if (this.update({ type: 'or', filters }, values).length === 0)
			throw new Error(`There is no row ${id}`);
	}

	delete(id: number): void {
		this.#rows = this.#rows.filter((row) => row.id !== id);
	}

	/** In one step; gives the rows as they were. */
	remove(filter: RowFilter): readonly Row[] {
		const isMeant = this.#testOf(filter);
		const removed = this.#rows.filter(isMeant);
		this.#rows = this.#rows.filter((row) => !isMeant(row));
		return removed;
	}

	#read(values: Values): Values {
		const { types } = this;
		const read = Object.entries(values).map(([name, value]) => [name, cellFor(types, name, value)]);
		return Object.fromEntries(read) as Values;
	}

	/** Whether a row is meant by a filter. On SQLite, n8n compares dates as texts of another form: nobody may ask for one. */
	#testOf({ type, filters }: RowFilter): (row: Row) => boolean {
		const types: Types = new Map([...SYSTEM_TYPES, ...this.types]);
		const wanted = filters.map(({ columnName, condition, value }) => ({
			columnName,
			isEqual: condition === 'eq',
			cell: cellFor(types, columnName, value),
		}));
		const isDate = (columnName: string): boolean => types.get(columnName) === 'date';
		const hasDate = wanted.some(({ columnName, cell }) => cell !== null && isDate(columnName));
		if (hasDate || wanted.length > MAX_ENTRIES) throw databaseError();
		const isMeant =
			(row: Row) =>
			({ columnName, isEqual, cell }: (typeof wanted)[number]): boolean =>
				((row[columnName] ?? null) === cell) === isEqual;
		return (row) => (type === 'or' ? wanted.some(isMeant(row)) : wanted.every(isMeant(row)));
	}
}
