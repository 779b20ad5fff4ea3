import { z } from 'zod';

import { COLUMNS } from '../../../nodes/shared/book/columns';
import type { ApiRequest } from '../../../nodes/shared/book/tableApi';

const row = z.record(z.unknown());
const condition = z.object({ columnName: z.string(), value: z.unknown() });
const filter = z.object({ filters: z.array(condition) });
const page = z.object({ limit: z.number(), offset: z.number() });

const json = (text: string | null): unknown => JSON.parse(text ?? '');

type Row = z.output<typeof row>;

export type MemoryTable = ReturnType<typeof startTable>;

/** As little of n8n as the book needs: one Data Table, in memory. */
export function startTable() {
	const columns = Object.entries(COLUMNS).map(([name, type]) => ({ name, type }));
	const rows = new Map<number, Row>();
	let ids = 0;
	let changes = 0;
	/** Each change has a moment of its own. */
	const edit = (id: number, values: Row): void => {
		rows.set(id, { ...rows.get(id), updatedAt: new Date(++changes).toISOString(), ...values, id });
	};
	const create = (id: number, values: Row): void => {
		edit(id, { createdAt: new Date(changes + 1).toISOString(), ...values });
	};
	const found = (asked: unknown): Row[] => {
		const { filters } = filter.parse(asked);
		return [...rows.values()].filter((one) =>
			filters.some(({ columnName, value }) => one[columnName] === value),
		);
	};
	const read = (query: URLSearchParams) => {
		const { limit, offset } = page.parse(json(atob(query.get('cursor') ?? '')));
		const isByChange = query.get('sortBy') === 'updatedAt:asc';
		const orderOf = ({ id, updatedAt }: Row) =>
			isByChange ? Date.parse(String(updatedAt)) : Number(id);
		const all = found(json(query.get('filter')));
		all.sort((one, other) => orderOf(one) - orderOf(other));
		const data = all.slice(offset, offset + limit);
		return { data, nextCursor: offset + limit < all.length ? 'more' : null };
	};
	/** Begins what a request asks for; whatever is returned commits it, and gives the answer. */
	const begin = ({ method, path, body }: ApiRequest): (() => unknown) => {
		const [address, query] = path.split('?');
		if (address === '/data-tables') return () => ({ data: [{ id: 'T', name: 'book', columns }] });
		if (method === 'GET') return () => read(new URLSearchParams(query));
		if (method === 'PATCH') {
			const { data } = z.object({ data: row }).parse(body);
			return () => {
				for (const { id } of found(body?.filter)) edit(Number(id), data);
				return {};
			};
		}
		if (method === 'DELETE') {
			const gone = json(new URLSearchParams(query).get('filter'));
			return () => {
				const removed = found(gone);
				for (const { id } of removed) rows.delete(Number(id));
				return removed;
			};
		}
		// IDs are given before the commit, as in PostgreSQL.
		const added = z.object({ data: z.array(row) }).parse(body);
		const all = added.data.map((values) => ({ id: ++ids, values }));
		return () => {
			for (const { id, values } of all) create(id, values);
			return {};
		};
	};
	/** A person adds a row. */
	const add = (values: Row): number => {
		create(++ids, values);
		return ids;
	};
	return { rows, begin, add, edit };
}
