import { rowsWith, TableApi, type ApiRequest } from '../../../nodes/shared/book/tableApi';
import { startTable } from './bookTable';

const ADA = '+15550001000';
const OF_ADA = rowsWith('phone', [ADA]);

test.each([
	['hides no other', 600, false],
	['and that n8n no longer counts, hides no other', 251, true],
])('a row that is taken away while pages are read %s', async (_, count, isLast) => {
	const { table, ask } = startTable();
	for (let row = 0; row < count; row++) table.insert({ phone: ADA });
	let reads = 0;
	const api = new TableApi(async (request) => {
		const answer = await ask(request);
		if (++reads > 1) return answer;
		table.delete(5);
		return isLast ? { ...answer, body: { ...(answer.body as object), nextCursor: null } } : answer;
	}, table.id);

	const rows = await api.rows(OF_ADA);

	expect(rows.map(({ id }) => id)).toEqual(table.rows.map(({ id }) => id));
	expect(rows).toHaveLength(count - 1);
});

test('pages of one question that do not end are no answer', async () => {
	const updatedAt = new Date().toISOString();
	let asked = 0;
	const send = async ({ path }: ApiRequest) => {
		asked++;
		const cursor = new URLSearchParams(path.split('?')[1]).get('cursor') ?? '';
		const { offset } = JSON.parse(atob(cursor)) as { offset: number };
		// The last row of the page before, and a new one.
		const data = [0, 1].map((later) => ({ id: offset + later, updatedAt }));
		return await Promise.resolve({ status: 200, body: { data, nextCursor: 'more' } });
	};

	await expect(new TableApi(send, 'T').rows(OF_ADA)).rejects.toThrow('more than 100000 rows');
	expect(asked).toBeLessThan(410);
});
