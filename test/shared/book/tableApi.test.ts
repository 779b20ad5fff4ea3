import { rowsWith, TableApi, type ApiRequest } from '../../../nodes/shared/book/tableApi';
import { startTable } from './memoryTable';

const ADA = '+15550001000';
const OF_ADA = rowsWith('phone', [ADA]);

const apiOf = (send: (request: ApiRequest) => unknown): TableApi =>
	new TableApi(async (request) => await Promise.resolve({ status: 200, body: send(request) }), 'T');

test('a row that is taken away while pages are read hides no other', async () => {
	const table = startTable();
	for (let row = 0; row < 600; row++) table.add({ phone: ADA });
	let reads = 0;
	const api = apiOf((request) => {
		if (++reads === 2) table.rows.delete(5);
		return table.begin(request)();
	});

	const rows = await api.rows(OF_ADA);

	expect(rows.map(({ id }) => id)).toEqual([...table.rows.keys()]);
	expect(rows).toHaveLength(599);
});

test('a row that n8n no longer counts after it has read a page is read', async () => {
	const table = startTable();
	for (let row = 0; row < 251; row++) table.add({ phone: ADA });
	let reads = 0;
	const api = apiOf((request) => {
		const answer = table.begin(request)() as object;
		if (++reads > 1) return answer;
		table.rows.delete(5);
		return { ...answer, nextCursor: null };
	});

	const rows = await api.rows(OF_ADA);

	expect(rows.map(({ id }) => id)).toEqual([...table.rows.keys()]);
});

test('pages of one question that do not end are no answer', async () => {
	const updatedAt = new Date().toISOString();
	let asked = 0;
	const endless = apiOf(({ path }) => {
		asked++;
		const cursor = new URLSearchParams(path.split('?')[1]).get('cursor') ?? '';
		const { offset } = JSON.parse(atob(cursor)) as { offset: number };
		// The last row of the page before, and a new one.
		const data = [0, 1].map((later) => ({ id: offset + later, updatedAt }));
		return { data, nextCursor: 'more' };
	});

	await expect(endless.rows(OF_ADA)).rejects.toThrow('more than 100000 rows');
	expect(asked).toBeLessThan(410);
});
