import { COLUMNS } from '../../../nodes/shared/book/columns';
import type { ApiRequest } from '../../../nodes/shared/book/tableApi';
import { serve } from '../../contactBook/dataTables/routes';
import { SCOPES, Tables } from '../../contactBook/dataTables/tables';

export const NAME = 'Contact book';

export type BookTable = ReturnType<typeof startTable>;

/** The Data Table of a book, asked without a server. */
export function startTable() {
	const tables = new Tables();
	const key = tables.keyWith(SCOPES);
	const columns = Object.entries(COLUMNS).map(([name, type]) => ({ name, type }));
	tables.create({ name: NAME, columns });
	const table = tables.find(NAME);
	if (table === undefined) throw new Error('It was not made');
	/** @param pause after which a change is committed; an insert gives its IDs before it, as in PostgreSQL */
	const ask = async (
		request: ApiRequest,
		pause = async () => {
			await Promise.resolve();
		},
	) => {
		const [path = '', query = ''] = request.path.split('?');
		const { method, body } = request;
		const write = async <T>(statement: () => T, commit?: (result: T) => void): Promise<T> => {
			const inserted = commit && statement();
			await pause();
			const result = inserted ?? statement();
			commit?.(result);
			return result;
		};
		const contentType = 'application/json';
		return await serve({
			...{ tables, write },
			request: { method, path, query, key, contentType, body, status: undefined },
		});
	};
	return { table, ask };
}
