import { openBook, type Book } from '../../../nodes/shared/book/book';
import { COLUMNS, type RowValues } from '../../../nodes/shared/book/columns';
import { TABLE } from '../../contactBook/bookFields';
import type { TablesFault } from '../../contactBook/dataTables/dataTables';
import type { TablesRequest } from '../../contactBook/dataTables/requests';
import { useDataTables } from '../../contactBook/useDataTables';
import { useFastClock } from '../../engine/fastClock';
import { sendTo } from './bookTable';
import { ADA, claimingOf } from './claiming';

useFastClock();

const tables = useDataTables(({ createTable }) => {
	createTable(TABLE, { ...COLUMNS, own: 'string' });
});

const rows = () => tables().table(TABLE).rows;
const send = (...of: Parameters<ReturnType<typeof sendTo>>) => sendTo(tables())(...of);

/** The book of a process of its own: each key has one. */
async function open(): Promise<Book> {
	const { baseUrl, keyWithout } = tables();
	return await openBook({ send, api: baseUrl, apiKey: keyWithout(), table: TABLE });
}

const phoneOf = (person: number): string => `+155500010${String(person).padStart(2, '0')}`;

const claimAll = async (book: Book, people: number): Promise<string[]> => {
	const claimed = await Promise.all(
		Array.from({ length: people }, async (_, person) => {
			const values = { reference: `crm ${person}`, execution: '7', resumeUrl: 'http://n8n' };
			return await book.claim(send, claimingOf({ phone: phoneOf(person), values }));
		}),
	);
	return claimed.flatMap(({ claim = [] }) => claim);
};

/** A book with claims of so many people. */
async function openWith(people: number) {
	const book = await open();
	const claims = await claimAll(book, people);
	return { book, claims, since: tables().requests.length };
}

const acceptedAs = (place: number): RowValues => ({
	outcome: 'accepted',
	contactId: `call ${place}`,
	contactedAt: new Date(Date.UTC(2026, 0, 2) + place).toISOString(),
});

const settleAll = async (book: Book, claims: readonly string[]) =>
	await Promise.all(
		claims.map(async (claim, place) => await book.settle(send, claim, acceptedAs(place))),
	);

const isOf = (method: string) => (request: TablesRequest) => request.method === method;

const asked = (since: number): string =>
	tables()
		.requests.slice(since)
		.map(({ method }) => method)
		.join(' ');

const NO_PROBLEMS = (length: number) => Array.from({ length }, () => undefined);

describe('claims', () => {
	test('of 50 people take four requests, and those of others are seen', async () => {
		const [one, other] = [await open(), await open()];
		const since = tables().requests.length;

		expect(await claimAll(one, 50)).toHaveLength(50);
		expect(asked(since)).toBe('GET GET POST GET');
		expect(await claimAll(other, 50)).toEqual([]);
		expect(rows()).toHaveLength(50);
		const { contacts } = await other.look(send, { phone: phoneOf(7), mode: 'live', maxWait: 0 });
		expect(contacts).toMatchObject([{ item: 'item', outcome: 'unknown' }]);
	});

	test('are given up after six times, with what was seen last', async () => {
		const book = await open();
		const table = tables().table(TABLE);
		const rival = { phone: ADA, outcome: 'claimed', claim: 'rival.1', mode: 'live' };
		let id = 0;
		tables().holdAt((moment, { method }) => {
			if (method === 'POST' && moment === 'answer') id = table.insert(rival);
			if (method === 'PATCH' && moment === 'answer') table.delete(id);
			return undefined;
		});

		const { seen, ...rest } = await book.claim(send, claimingOf());

		expect(rest).toEqual({});
		expect(seen.contacts.filter(({ outcome }) => outcome !== 'notMade')).toMatchObject([
			{ item: 'rival' },
		]);
		expect(rows().map(({ outcome }) => outcome)).toEqual(Array(6).fill('notMade'));
	});

	test.each<[string, TablesFault]>([
		['is repeated with the same claim', { at: 'answer', times: 2 }],
		['is repeated if it fails', { answer: { status: 500 }, times: 2 }],
	])('are made if n8n fails twice: what was added %s', async (_, fault) => {
		const book = await open();
		tables().fail({ when: isOf('POST'), ...fault });

		const claims = await claimAll(book, 2);

		expect(claims).toHaveLength(2);
		expect(new Set(rows().map(({ claim }) => claim))).toEqual(new Set(claims));
		expect(await settleAll(book, claims)).toEqual(NO_PROBLEMS(2));
		expect(rows().filter(({ outcome }) => outcome !== 'accepted')).toEqual([]);
	});
});

describe('settled', () => {
	test('50 contacts take three requests, and have one row each with all that the claim wrote', async () => {
		const { book, claims, since } = await openWith(50);

		expect(await settleAll(book, claims)).toEqual(NO_PROBLEMS(50));

		expect(asked(since)).toBe('GET POST DELETE');
		expect(rows()).toHaveLength(50);
		for (const [place, claim] of claims.entries()) {
			const values = { reference: `crm ${place}`, execution: '7', resumeUrl: 'http://n8n' };
			const row = { phone: phoneOf(place), mode: 'live', claim, ...values, ...acceptedAs(place) };
			expect(rows().find((one) => one.claim === claim)).toMatchObject(row);
		}
		const { id: _, createdAt: __, updatedAt: ___, ...first } = rows()[0] ?? {};
		expect(Object.values(first).filter((value) => value !== null)).toHaveLength(9);
	});

	test('few contacts keep their rows', async () => {
		const { book, claims, since } = await openWith(3);
		const ids = rows().map(({ id }) => id);

		expect(await settleAll(book, claims)).toEqual(NO_PROBLEMS(3));

		expect(asked(since)).toBe('PATCH PATCH PATCH');
		expect(rows().map(({ id }) => id)).toEqual(ids);
		expect(rows()).toMatchObject(claims.map((claim, place) => ({ claim, ...acceptedAs(place) })));
	});

	test('rows that somebody has edited keep what was entered, those of columns of their own, too', async () => {
		const { book, claims, since } = await openWith(50);
		const table = tables().table(TABLE);
		const edits: Record<string, string | boolean>[] = [
			{ doNotContact: true },
			{ reference: 'mine' },
			{ own: 'mine' },
			{ summary: 'x' },
		];
		for (const [place, edit] of edits.entries()) table.edit(place + 1, edit);
		table.delete(5);

		expect(await settleAll(book, claims)).toEqual(NO_PROBLEMS(50));

		expect(asked(since)).toBe('GET POST DELETE PATCH PATCH PATCH PATCH PATCH');
		expect(rows()).toHaveLength(49);
		expect(rows().slice(0, 4)).toMatchObject(
			edits.map((edit, place) => ({ id: place + 1, ...acceptedAs(place), ...edit })),
		);
		expect(rows().filter(({ outcome }) => outcome !== 'accepted')).toEqual([]);
	});

	test('by rows of their own while n8n fails to take the claims away, contacts are seen once', async () => {
		const { book, claims } = await openWith(5);
		tables().fail({ when: isOf('DELETE'), answer: { status: 500 } });

		expect(await settleAll(book, claims)).toEqual(NO_PROBLEMS(5));

		expect(rows()).toHaveLength(10);
		const { contacts } = await book.look(send, { phone: phoneOf(3), mode: 'live', maxWait: 0 });
		expect(contacts).toMatchObject([{ item: 'item', outcome: 'accepted', contactId: 'call 3' }]);
	});

	test('with an answer of n8n that is lost, contacts have one row', async () => {
		const { book, claims } = await openWith(5);
		tables().fail({ when: isOf('POST'), at: 'answer', times: 1 });
		tables().fail({ when: isOf('DELETE'), at: 'answer', times: 1 });

		expect(await settleAll(book, claims)).toEqual(NO_PROBLEMS(5));

		expect(rows()).toMatchObject(claims.map((claim, place) => ({ claim, ...acceptedAs(place) })));
	});

	describe('while somebody opts out of being contacted', () => {
		/** Settles five contacts, of whom the third opts out when their rows have been read. */
		const settleMeanwhile = async (book: Book): Promise<void> => {
			const claims = await claimAll(book, 5);
			let isOut = false;
			tables().holdAt((moment, { method }) => {
				if (!isOut && moment === 'arrival' && method === 'POST')
					tables().table(TABLE).edit(3, { doNotContact: true });
				isOut ||= method === 'POST';
				return undefined;
			});
			expect(await settleAll(book, claims)).toEqual(NO_PROBLEMS(5));
		};
		const isOptedOut = async (book: Book) =>
			(await book.claim(send, claimingOf({ phone: phoneOf(2), mayClaim: () => undefined }))).seen
				.isOptedOut;

		test('the opt-out stays, also for other processes', async () => {
			const book = await open();

			await settleMeanwhile(book);

			expect(rows().filter(({ doNotContact }) => doNotContact)).toMatchObject([
				{ phone: phoneOf(2), reference: 'crm 2', outcome: null },
			]);
			expect(await isOptedOut(book)).toBe(true);
			expect(await isOptedOut(await open())).toBe(true);
		});

		test('nobody is claimed until it is written', async () => {
			const book = await open();
			let posts = 0;
			const isLater = (request: TablesRequest) => isOf('POST')(request) && ++posts > 2;
			tables().fail({ when: isLater, answer: { status: 500 } });
			await settleMeanwhile(book);
			expect(rows().filter(({ doNotContact }) => doNotContact)).toEqual([]);

			await expect(isOptedOut(book)).rejects.toThrow('HTTP 500');
			tables().clearFaults();

			expect(await isOptedOut(book)).toBe(true);
			expect(rows().filter(({ doNotContact }) => doNotContact)).toHaveLength(1);
		});
	});

	test.each(['GET', 'POST', 'PATCH'])(
		'contacts are claims if n8n does not take %s, with the problem of each',
		async (method) => {
			const { book, claims } = await openWith(method === 'PATCH' ? 2 : 5);
			tables().fail({ when: isOf(method), times: 6, answer: { status: 500 } });

			const problems = await settleAll(book, claims);

			const problem = { message: expect.stringContaining('HTTP 500') as string };
			expect(problems).toMatchObject(claims.map(() => problem));
			expect(rows().map(({ outcome }) => outcome)).toEqual(claims.map(() => 'claimed'));
		},
	);
});

test('a book is shared by all runs with its key, and opened once for those of one moment', async () => {
	const { baseUrl: api, apiKey, keyWithout } = tables();
	const access = { send, api, apiKey, table: TABLE };

	const [one, other] = await Promise.all([openBook(access), openBook(access)]);

	expect(asked(0)).toBe('GET');
	expect(other).toBe(one);
	expect(await openBook({ ...access, table: tables().table(TABLE).id })).toBe(one);
	expect(await openBook({ ...access, apiKey: keyWithout() })).not.toBe(one);
	expect((await one.claim(send, claimingOf())).claim).toBeDefined();
});
