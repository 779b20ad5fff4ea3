import { startDataTables, type DataTables } from './dataTablesServer';
import { testDataTablesApi } from './dataTablesApi/testApi';

let server: DataTables;

beforeAll(async () => {
	server = await startDataTables();
});

afterAll(async () => {
	await server.stop();
});

testDataTablesApi(() => server);
