import { AsyncLocalStorage } from 'async_hooks';
import { sleep } from 'n8n-workflow';

import { Book } from '../../../nodes/shared/book/book';
import { BookProblem } from '../../../nodes/shared/book/bookProblem';
import type { ApiRequest, ApiSend } from '../../../nodes/shared/book/tableApi';
import { claimingOf } from './claimWorld';
import { startTable } from './bookTable';

/** n8n acts on a request after so many milliseconds, or `fails` at once; if its answer is `lost`, it has acted. */
export type Fate = Readonly<{ after: number; end: 'answered' | 'lost' | 'fails' }>;

/** What becomes of the updates of rows, and of all other requests, over and over again. */
type Fates = Readonly<Record<'updates' | 'others', readonly Fate[]>>;

/** An item for a person, with its times in milliseconds: it `lasts` from its claim until its answer. */
export type Item = Readonly<
	Record<'person' | 'beginAt' | 'lasts', number> & { outcome: 'accepted' | 'notMade' }
>;

/** An item that was sent, and whether its claim stood when it was answered. */
export type Sent = Readonly<Item & { isStanding: boolean }>;

/** How long a process waits for n8n's answer; and more steps than any world needs. */
const TIMEOUT = 60_000;
const MOST_STEPS = 50_000;

const pauses = new AsyncLocalStorage<number>();

/** Each test has a time of its own. The pauses of processes differ, so that nothing depends on luck. */
export function useTime(): void {
	beforeEach(() => {
		jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
		jest.spyOn(Math, 'random').mockImplementation(() => pauses.getStore() ?? 0);
	});
	afterEach(() => {
		jest.restoreAllMocks();
		jest.useRealTimers();
	});
}

/**
 * Lets all items of some processes end. Throws if one never ends, or fails while n8n does not.
 *
 * @returns those that were sent, and the rows that are left
 */
export async function playOut(processes: readonly (readonly Item[])[], fates: Fates) {
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

/** A Data Table that acts on requests when their fates say so. */
function startLate(fates: Fates) {
	const { table, ask } = startTable();
	const asked = { updates: 0, others: 0 };
	const act = async (request: ApiRequest, after: number) => {
		await sleep(after / 2);
		return await ask(request, async () => {
			await sleep(after / 2);
		});
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
