import { COLUMNS } from '../../nodes/shared/book/columns';
import { TABLE } from './bookFields';
import type { DataTablesOptions } from './dataTables/dataTables';
import type { Values } from './dataTables/table';
import { useDataTables } from './useDataTables';

/** To be called once for each file of tests. Each test has Data Tables of its own, with the table of the book. */
export function useBook(options?: DataTablesOptions) {
	const tables = useDataTables(({ createTable }) => {
		createTable(TABLE, COLUMNS);
	}, options);
	const table = () => tables().table(TABLE);
	return {
		tables,
		table,
		/** The rows of the book, without what n8n adds. */
		rows: (): Values[] => table().rows.map(({ createdAt: _, updatedAt: __, ...row }) => row),
		/** Adds rows as a person would, or as another workflow; gives the last ID. */
		add: (...rows: readonly object[]): number =>
			rows.map((row) => table().insert({ ...row })).at(-1) ?? 0,
		/** Changes all rows, or those of a number, as time and the events of calls do. */
		change: (values: Values, phone?: string): void => {
			for (const row of table().rows)
				if (phone === undefined || row.phone === phone) Object.assign(row, values);
		},
		/** Changes the nth row as a person would, or the event of a call. */
		edit: (row: number, values: Values): void => {
			table().edit(Number(table().rows[row]?.id), values);
		},
	};
}
