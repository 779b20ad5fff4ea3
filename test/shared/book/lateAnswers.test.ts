import { AsyncLocalStorage } from 'async_hooks';
import fc from 'fast-check';
import { sleep } from 'n8n-workflow';

import { Book } from '../../../nodes/shared/book/book';
import { BookProblem } from '../../../nodes/shared/book/bookProblem';
import type { ApiRequest, ApiSend } from '../../../nodes/shared/book/tableApi';
import { useFakeTime } from '../../until';
import { claimingOf } from './claiming';
import { startTable } from './bookTable';

/** n8n acts on a request after so many milliseconds, or `fails` at once; if its answer is `lost`, it has acted. */
type Fate = Readonly<{ after: number; end: 'answered' | 'lost' | 'fails' }>;

/** What becomes of the updates of rows, and of all other requests, over and over again. */
type Fates = Readonly<Record<'updates' | 'others', readonly Fate[]>>;

/** An item for a person, with its times in milliseconds: it `lasts` from its claim until its answer. */
type Item = Readonly<
	Record<'person' | 'beginAt' | 'lasts', number> & { outcome: 'accepted' | 'notMade' }
>;

/** An item that was sent, and whether its claim stood when it was answered. */
type Sent = Readonly<Item & { isStanding: boolean }>;

/** How long a process waits for n8n's answer; and more steps than any world needs. */
const TIMEOUT = 60_000;
const MOST_STEPS = 50_000;

const pauses = new AsyncLocalStorage<number>();

useFakeTime();
beforeEach(() => {
	// The pauses of processes differ, so that nothing depends on luck.
	jest.spyOn(Math, 'random').mockImplementation(() => pauses.getStore() ?? 0);
});

/** Lets all items of some processes end. Gives those that were sent, and the rows that are left. */
async function playOut(processes: readonly (readonly Item[])[], fates: Fates) {
	jest.clearAllTimers();
	const { table, send } = startLate(fates);
	const isStanding = (claim: string): boolean =>
		table.rows.some((row) => row.claim === claim && row.outcome === 'claimed');
	const contact = async (book: Book, item: Item): Promise<Sent[]> => {
		await sleep(item.beginAt);
		const claiming = claimingOf({ phone: `+1555000100${item.person}` });
		const { claim } = await book.claim(send, claiming).catch((error: unknown) => {
			if (error instanceof BookProblem && error.mayPass) return { claim: undefined };
			throw error;
		});
		if (claim === undefined) return [];
		await sleep(item.lasts);
		const sent = { ...item, isStanding: isStanding(claim) };
		await book.settle(send, claim, { outcome: item.outcome });
		return [sent];
	};
	const run = async (items: readonly Item[]): Promise<Sent[][]> => {
		const book = new Book(table.id);
		return await Promise.all(items.map(async (item) => await contact(book, item)));
	};
	const work = Promise.all(
		processes.map(async (items, place) => await pauses.run(place / processes.length, run, items)),
	);
	work.catch(() => undefined);
	for (let steps = 0; jest.getTimerCount() > 0 && steps < MOST_STEPS; steps++) {
		jest.advanceTimersToNextTimer();
		// Promises have their turn before the next step.
		await new Promise((resolve) => setImmediate(resolve));
	}
	const endless = Promise.reject(new Error('An item does not end'));
	return { sent: (await Promise.race([work, endless])).flat(2), rows: table.rows };
}

function startLate(fates: Fates) {
	const { table, ask } = startTable();
	const asked = { updates: 0, others: 0 };
	const act = async (request: ApiRequest, after: number) => {
		await sleep(after / 2);
		return await ask(request, () => sleep(after / 2));
	};
	const send: ApiSend = async (request) => {
		const kind = request.method === 'PATCH' ? 'updates' : 'others';
		const { after = 0, end = '' } = fates[kind][asked[kind]++ % fates[kind].length] ?? {};
		if (end === 'fails') return { status: 500, body: {} };
		const acting = act(request, after);
		if (after < TIMEOUT && end === 'answered') return await acting;
		await sleep(Math.min(after, TIMEOUT));
		throw new BookProblem('n8n did not answer', '', 0);
	};
	return { send, table };
}

const PEOPLE = [0, 1];

const soon = fc.integer({ min: 1, max: 300 });
const minutes = (min: number, max: number) => fc.integer({ min: 60_000 * min, max: 60_000 * max });

const fate = (after: fc.Arbitrary<number>, ...ends: Fate['end'][]): fc.Arbitrary<Fate> =>
	fc.record({ after, end: fc.constantFrom(...ends) });
const good = { weight: 20, arbitrary: fate(soon, 'answered') };
const bad = { weight: 2, arbitrary: fate(soon, 'lost', 'fails') };
const late = fate(minutes(1, 9), 'answered');
const some = <T>(arbitrary: fc.Arbitrary<T>) =>
	fc.array(arbitrary, { minLength: 1, maxLength: 30 });

const processes = (
	time: (most: number) => fc.Arbitrary<number>,
	outcome: fc.Arbitrary<Item['outcome']>,
) => {
	const person = fc.constantFrom(...PEOPLE);
	const item = fc.record({ person, beginAt: time(5), lasts: time(9), outcome });
	const items = fc.array(item, { minLength: 1, maxLength: 5 });
	return fc.tuple(items, items, items);
};

test('whatever n8n does late, and however long claims are held, nobody is contacted twice', async () => {
	const any = processes(
		(most) => fc.oneof(soon, minutes(0, most)),
		fc.constantFrom('accepted', 'notMade'),
	);
	const updates = some(fc.oneof(good, bad, { weight: 40, arbitrary: late }));
	const others = some(fc.oneof(good, bad, { weight: 1, arbitrary: late }));
	await fc.assert(
		fc.asyncProperty(any, fc.record({ updates, others }), async (all, fates) => {
			const { sent } = await playOut(all, fates);
			const reached = sent.filter(({ outcome }) => outcome === 'accepted');
			expect(reached.map(({ person }) => person).sort()).toEqual(
				PEOPLE.filter((one) => reached.some(({ person }) => person === one)),
			);
			// It keeps others away until its answer is there.
			expect(sent.filter(({ isStanding }) => !isStanding)).toEqual([]);
		}),
		{ numRuns: 300 },
	);
});

test('if n8n answers soon, everybody is contacted once', async () => {
	let collisions = 0;
	const quick = processes(() => soon, fc.constant('accepted'));
	const fates = some(fate(fc.integer({ min: 1, max: 20 }), 'answered'));
	await fc.assert(
		fc.asyncProperty(quick, fates, async (all, others) => {
			const { sent, rows } = await playOut(all, { updates: others, others });
			expect(sent.map(({ person }) => person).sort()).toEqual(
				PEOPLE.filter((one) => all.flat().some(({ person }) => person === one)),
			);
			expect(rows.filter(({ outcome }) => outcome === 'claimed')).toEqual([]);
			if (rows.some(({ outcome }) => outcome === 'notMade')) collisions++;
		}),
	);
	expect(collisions).toBeGreaterThan(5);
});
