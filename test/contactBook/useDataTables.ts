import { startDataTables, type DataTables, type DataTablesOptions } from './dataTablesServer';

/**
 * Starts Data Tables for each test of a file, and stops them at its end. To be called once for each file.
 *
 * @param prepare awaited before each test
 */
export function useDataTables(
	options?: DataTablesOptions,
	prepare?: (tables: DataTables) => Promise<void>,
): () => DataTables {
	let current: DataTables | undefined;
	const tables = (): DataTables => {
		if (current === undefined) throw new Error('There are no Data Tables');
		return current;
	};
	beforeEach(async () => {
		current = await startDataTables(options);
		await prepare?.(current);
	});
	afterEach(async () => {
		await tables().stop();
	});
	return tables;
}
