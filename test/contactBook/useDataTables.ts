import { useEach } from '../useEach';
import { startDataTables, type DataTables, type DataTablesOptions } from './dataTablesServer';

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
