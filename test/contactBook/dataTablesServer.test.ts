import { testDataTablesApi } from './dataTablesApi';
import { startDataTables, type DataTables } from './dataTablesServer';

let server: DataTables;

beforeAll(async () => {
	server = await startDataTables();
});

afterAll(async () => {
	await server.stop();
});

testDataTablesApi(() => server);
