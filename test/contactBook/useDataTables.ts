import { useEach } from '../useEach';
import type { DataTablesOptions } from './dataTables/dataTables';
import { startDataTables, type DataTables } from './dataTablesServer';

/** Starts Data Tables for each test of a file, and stops them at its end. */
export const useDataTables = (
	prepare?: (tables: DataTables) => void,
	options?: DataTablesOptions,
): (() => DataTables) =>
	useEach(async () => {
		const tables = await startDataTables(options);
		prepare?.(tables);
		return tables;
	});
