import { randomBytes } from 'node:crypto';
import type { RowFilter } from './requests';
import { cellFor, databaseError, SYSTEM_TYPES, type Cell, type Row, type Types } from './values';

export type Values = Readonly<Record<string, Cell>>;

/** How many entries of a filter SQLite takes: it bounds the depth of an expression. */
const MAX_ENTRIES = 999;

/** A Data Table: what is committed, and the next ID. */
export class Table {
	/** 16 letters and digits, as n8n makes them. */
	readonly id = randomBytes(8).toString('hex');
	#rows: readonly Row[] = [];
	#lastId = 0;

	constructor(
		/** People rename tables. */
		public name: string,
		/** Of the columns, in their order on the screen. */
		readonly types: Types,
	) {}

	/** As n8n lists it: columns have no order. */
	get listed(): object {
		const columns = Array.from(this.types, ([name, type]) => ({ name, type }));
		const { id, name } = this;
		return { id, name, projectId: 'personalProject1', sizeBytes: 4096, columns: columns.reverse() };
	}

	/** The rows that everybody can see, in order of ID. */
	get rows(): readonly Row[] {
		return this.#rows;
	}

	/** Gives each new row its ID and its time. Nobody sees them before they are committed, which gives the last ID. */
	prepare(rows: readonly Values[]): () => number {
		const read = rows.map((row) => this.#read(row));
		const at = new Date().toISOString();
		const empty = Object.fromEntries([...this.types.keys()].map((name) => [name, null]));
		const added = read.map((values): Row => {
			this.#lastId += 1;
			return { ...empty, ...values, id: this.#lastId, createdAt: at, updatedAt: at };
		});
		return () => {
			this.#rows = [...this.#rows, ...added].sort((row, next) => row.id - next.id);
			return added.at(-1)?.id ?? 0;
		};
	}

	/** In one step, as n8n's database makes it; gives how many rows it has changed. */
	update(filter: RowFilter, data: Values): number {
		const changes = this.#read(data);
		const isMeant = this.#testOf(filter);
		const updatedAt = new Date().toISOString();
		const count = this.#rows.filter(isMeant).length;
		this.#rows = this.#rows.map((row) => (isMeant(row) ? { ...row, ...changes, updatedAt } : row));
		return count;
	}

	/** In one step; gives the rows as they were. */
	remove(filter: RowFilter): readonly Row[] {
		const isMeant = this.#testOf(filter);
		const removed = this.#rows.filter(isMeant);
		this.#rows = this.#rows.filter((row) => !isMeant(row));
		return removed;
	}

	/** The visible rows that a filter means, in the order of their ID or of their last change. */
	find(filter: RowFilter, sortBy: string | null): Row[] {
		const rows = this.#rows.filter(this.#testOf(filter));
		if (sortBy === 'id:asc') return rows;
		if (sortBy !== 'updatedAt:asc') throw databaseError();
		return rows.sort((row, next) => row.updatedAt.localeCompare(next.updatedAt));
	}

	/** Adds a row as a person does in n8n's editor; gives its ID. */
	insert(values: Values): number {
		return this.prepare([values])();
	}

	edit(id: number, values: Values): void {
		if (this.update(withId(id), values) === 0) throw new Error(`There is no row ${id}`);
	}

	delete(id: number): void {
		this.remove(withId(id));
	}

	#read(values: Values): Values {
		return Object.fromEntries(
			Object.entries(values).map(([name, value]) => [name, cellFor(this.types, name, value)]),
		);
	}

	/** Whether a row is meant by a filter. On SQLite, n8n compares dates as texts of another form: nobody may ask for one. */
	#testOf({ type, filters }: RowFilter): (row: Row) => boolean {
		const types: Types = new Map([...SYSTEM_TYPES, ...this.types]);
		const tests = filters.map(({ columnName, condition, value }) => {
			const cell = cellFor(types, columnName, value);
			if (cell !== null && types.get(columnName) === 'date') throw databaseError();
			return (row: Row): boolean => (row[columnName] === cell) === (condition === 'eq');
		});
		if (tests.length > MAX_ENTRIES) throw databaseError();
		return (row) =>
			type === 'or' ? tests.some((isMet) => isMet(row)) : tests.every((isMet) => isMet(row));
	}
}

const withId = (id: number): RowFilter => ({
	type: 'or',
	filters: [{ columnName: 'id', condition: 'eq', value: id }],
});
