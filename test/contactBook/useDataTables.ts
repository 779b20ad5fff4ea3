import { useEach } from '../useEach';
import { startDataTables, type DataTables, type DataTablesOptions } from './dataTablesServer';

/** Starts Data Tables for each test of a file, and stops them at its end. */
export const useDataTables = (
	options?: DataTablesOptions,
	prepare?: (tables: DataTables) => Promise<void>,
): (() => DataTables) =>
	useEach(async () => {
		const tables = await startDataTables(options);
		await prepare?.(tables);
		return tables;
	});
