import { rowsWith, TableApi, type ApiSend } from '../../../nodes/shared/book/tableApi';
import { ADA, BOB, isInsert, isRead, isUpdate, sendTo, TABLE, useBook } from './bookServer';

const { tables, startProcess, outcomes } = useBook('postgres');

const LIVE = { phone: ADA, mode: 'live' };

/** Another process claims the number. */
const rival = (): number =>
	tables()
		.table(TABLE)
		.insert({ ...LIVE, outcome: 'claimed', contactedAt: new Date().toISOString() });

const edit = (row: number, outcome: string): void => {
	tables().table(TABLE).edit(row, { outcome });
};

/** Another process contacts the number right after the next insert. */
function contactedAfterInsert(): void {
	tables().holdAt((moment, request) => {
		if (moment !== 'answer' || !isInsert(request)) return undefined;
		tables().holdAt(undefined);
		edit(rival(), 'accepted');
		return undefined;
	});
}

/** A claim that waits, because another one with a higher ID came at the same moment; also the row of that one. */
async function standing(send?: ApiSend) {
	const one = startProcess(send);
	let other = 0;
	let isFirst = true;
	tables().holdAt((moment, request) => {
		// After the insert: what is read then holds both.
		if (moment !== 'answer' || !isInsert(request) || !isFirst) return undefined;
		isFirst = false;
		other = rival();
		return undefined;
	});
	const claim = await one.claim();
	tables().holdAt(undefined);
	return { one, claim, other };
}

test('of two claims at once, the lower one is kept', async () => {
	const { claim, other } = await standing();

	expect(claim).toMatchObject({ claim: 'standing', row: 1, rivals: [other] });
	expect(outcomes()).toEqual([
		[1, 'claimed'],
		[2, 'claimed'],
	]);
});

test('a claim that was given up is not granted, although the answer to that was lost', async () => {
	const lower = rival();
	edit(lower, 'notMade');
	const { one, claim, other } = await standing();
	expect(claim).toMatchObject({ claim: 'standing', row: 2 });
	// The lowest row is claimed again: the one in the middle gives up, and n8n's answer to that is lost.
	edit(lower, 'claimed');
	tables().fail({ when: isUpdate, at: 'answer', times: 1 });
	let updates = 0;
	tables().holdAt((moment, request) => {
		if (moment !== 'answer' || !isUpdate(request) || ++updates > 1) return undefined;
		edit(lower, 'notMade');
		edit(other, 'notMade');
		return undefined;
	});

	const again = await one.claim({ earlier: claim });

	expect(again).toMatchObject({ claim: 'granted', row: 4 });
	expect(outcomes()).toEqual([
		[1, 'notMade'],
		[2, 'notMade'],
		[3, 'notMade'],
		[4, 'claimed'],
	]);
});

test.each(['deleted', 'given to another number'])('a row that was %s is made anew', async (how) => {
	const { one, claim, other } = await standing();
	const table = tables().table(TABLE);
	if (how === 'deleted') table.delete(1);
	else table.edit(1, { phone: '+15559999999' });
	edit(other, 'notMade');

	const again = await one.claim({ earlier: claim });

	expect(again).toMatchObject({ claim: 'granted', row: 3 });
	expect(table.rows.find(({ id }) => id === 3)).toMatchObject({ phone: ADA, outcome: 'claimed' });
});

test('a claim whose row is taken away at once is not granted', async () => {
	tables().holdAt((moment, request) => {
		if (moment === 'answer' && isInsert(request)) tables().table(TABLE).delete(1);
		return undefined;
	});

	expect(await startProcess().claim()).toMatchObject({ claim: 'none' });
});

describe('what one failure leaves is no rival of its own item', () => {
	test('of a claim that was given up', async () => {
		contactedAfterInsert();
		tables().fail({ when: isUpdate, answer: { status: 500 }, times: 1 });

		const answer = await startProcess().claim();

		expect(answer).toMatchObject({ claim: 'none', rivals: [] });
		expect(outcomes()).toEqual([
			[1, 'notMade'],
			[2, 'accepted'],
		]);
	});

	test('of a lost answer to its insert, if the next question fails, too', async () => {
		tables().fail({ when: isInsert, at: 'answer', times: 1 });
		let reads = 0;
		tables().fail({ when: (request) => isRead(request) && ++reads === 3, times: 1 });

		const answer = await startProcess().claim();

		expect(answer).toMatchObject({ claim: 'granted', rivals: [] });
		expect(outcomes()).toEqual([
			[1, 'notMade'],
			[2, 'claimed'],
		]);
	});
});

test('after three failures no claim stands', async () => {
	tables().holdAt((moment, request) => {
		if (moment === 'answer' && isInsert(request))
			tables().fail({ when: isRead, answer: { status: 503 }, times: 1 });
		return undefined;
	});

	await expect(startProcess().claim()).rejects.toThrow('HTTP 503');

	expect(outcomes()).toEqual([
		[1, 'notMade'],
		[2, 'notMade'],
		[3, 'notMade'],
	]);
});

test('an opt-out of a process whose clock is behind holds at once, also if another one went', async () => {
	const table = tables().table(TABLE);
	const gone = table.insert({ phone: '+15550009999', doNotContact: true });
	table.insert({ phone: '+15550009998', doNotContact: true });
	const { claim } = startProcess();
	expect(await claim({ phone: BOB })).toMatchObject({ isOptedOut: false });
	const behind = jest.spyOn(Date.prototype, 'toISOString');
	behind.mockReturnValueOnce('2020-01-01T00:00:00.000Z');
	table.insert({ phone: ADA, doNotContact: true });
	behind.mockRestore();
	table.delete(gone);

	expect(await claim()).toMatchObject({ isOptedOut: true });
});

test('a row that is taken away while pages are read hides no other', async () => {
	const table = tables().table(TABLE);
	for (let row = 0; row < 600; row++) table.insert({ phone: ADA });
	let reads = 0;
	tables().holdAt((moment, request) => {
		if (moment === 'arrival' && isRead(request) && ++reads === 2) table.delete(5);
		return undefined;
	});

	const rows = await new TableApi(sendTo(tables()), { id: table.id, isWhole: true }).rows(
		rowsWith('phone', [ADA]),
	);

	expect(rows.map(({ id }) => id)).toEqual(
		Array.from({ length: 600 }, (_, index) => index + 1).filter((id) => id !== 5),
	);
});

test('more than 100,000 rows of one question are no answer', async () => {
	const updatedAt = new Date().toISOString();
	let asked = 0;
	const endless = new TableApi(
		async ({ path }) => {
			asked++;
			const cursor = new URLSearchParams(path.split('?')[1]).get('cursor') ?? '';
			const { offset } = JSON.parse(atob(cursor)) as { offset: number };
			const data = Array.from({ length: 250 }, (_, id) => ({ id: offset + id, updatedAt }));
			return await Promise.resolve({ status: 200, body: { data, nextCursor: 'more' } });
		},
		{ id: '0', isWhole: true },
	);

	await expect(endless.rows(rowsWith('phone', [ADA]))).rejects.toThrow('more than 100000 rows');
	expect(asked).toBeLessThan(410);
});
