import { AsyncLocalStorage } from 'async_hooks';
import { sleep } from 'n8n-workflow';

import { Book } from '../../../nodes/shared/book/book';
import type { BookAnswer } from '../../../nodes/shared/book/question';
import { BookProblem } from '../../../nodes/shared/book/problem';
import type { ApiRequest, ApiSend } from '../../../nodes/shared/book/tableApi';
import { CLAIM_AGES, type BookView } from '../../../nodes/shared/book/view';
import { startTable } from './memoryTable';

/** n8n acts on a request after so many milliseconds, or `fails` at once; if its answer is `lost`, it has acted. */
export type Fate = Readonly<{ after: number; end: 'answered' | 'lost' | 'fails' }>;

/** What becomes of the updates of rows, and of all other requests, over and over again. */
export type Fates = Readonly<Record<'updates' | 'others', readonly Fate[]>>;

/** An item, with its times in milliseconds: it `holds` its claim until it is sent, half as long after each new claim, and `lasts` until the answer. */
export type Item = Readonly<Record<'beginAt' | 'holds' | 'lasts', number> & { isMade: boolean }>;

/** A process of n8n, whose clock is so many milliseconds ahead. It has one item for each person. */
export type Process = Readonly<{ ahead: number; items: readonly Item[] }>;

/** An item that was sent, and what its row said when its request was answered. */
export type Sent = Readonly<{ person: number; isMade: boolean; outcome: unknown }>;

/** How long a process waits for n8n's answer, an item for others, and until it looks for them again; and more steps than any world needs. */
const TIMEOUT = 60_000;
const PATIENCE = 600_000;
const PAUSE = 15_000;
const MOST_STEPS = 50_000;

const clock = new AsyncLocalStorage<number>();

/** Each test has a time of its own, and each process reads it from a clock of its own. */
export function useClocks(): void {
	beforeEach(() => {
		jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
		const now = Date.now.bind(Date);
		jest.spyOn(Date, 'now').mockImplementation(() => now() + (clock.getStore() ?? 0));
	});
	afterEach(() => {
		jest.restoreAllMocks();
		jest.useRealTimers();
	});
}

/** Lets all items end, and tells which were sent. Throws if one never ends, or fails while n8n does not. */
export async function playOut(processes: readonly Process[], fates: Fates): Promise<Sent[]> {
	jest.clearAllTimers();
	const table = startLate(fates);
	const run = async ({ items }: Process): Promise<Sent[][]> => {
		const book = new Book('book');
		return await Promise.all(items.map(async (item, who) => await contact(book, table, who, item)));
	};
	const work = Promise.all(processes.map(async (one) => await clock.run(one.ahead, run, one)));
	work.catch(() => undefined);
	for (let steps = 0; jest.getTimerCount() > 0 && steps < MOST_STEPS; steps++) {
		jest.advanceTimersToNextTimer();
		// Promises have their turn before the next step.
		await new Promise((resolve) => setImmediate(resolve));
	}
	const endless = Promise.reject(new Error('An item does not end'));
	return (await Promise.race([work, endless])).flat(2);
}

/** Contacts a person as a run of the node does, unless others do. */
async function contact(
	book: Book,
	{ send, rows }: ReturnType<typeof startLate>,
	person: number,
	item: Item,
) {
	const values = { phone: `+1555000100${person}`, mode: 'live', execution: crypto.randomUUID() };
	const isAllowed = ({ contacts }: BookView): boolean => contacts.length === 0;
	let earlier: BookAnswer | undefined;
	let waitsSince = Infinity;
	await sleep(item.beginAt);
	for (let { holds } = item; ;) {
		const isPatient = Date.now() - waitsSince < PATIENCE;
		const claim = { values, isExclusive: true, isAllowed, ...(earlier && { earlier }) };
		try {
			earlier = await book.ask(send, { ...values, isOfEarlierTry: false, isPatient, claim });
		} catch (error) {
			if (error instanceof BookProblem && error.mayPass) break;
			throw error;
		}
		if (earlier.claim === 'granted') {
			await sleep(holds);
			holds /= 2;
			const { row = 0, claimedAt = 0 } = earlier;
			earlier = { ...earlier, claim: 'standing' };
			if (Date.now() - claimedAt >= CLAIM_AGES) continue;
			await sleep(item.lasts);
			const sent = { person, isMade: item.isMade, outcome: rows.get(row)?.outcome };
			await book.settle(send, row, { outcome: item.isMade ? 'accepted' : 'notMade' });
			return [sent];
		}
		if (earlier.rivals.length === 0) break;
		waitsSince = Math.min(waitsSince, Date.now());
		await sleep(PAUSE);
	}
	if (earlier?.row !== undefined) await book.settle(send, earlier.row, { outcome: 'notMade' });
	return [];
}

/** A Data Table that acts on requests when their fates say so. */
function startLate(fates: Fates) {
	const { rows, begin } = startTable();
	const asked = { updates: 0, others: 0 };
	const act = async (request: ApiRequest, after: number): Promise<unknown> => {
		await sleep(after / 2);
		const commit = begin(request);
		await sleep(after / 2);
		return commit();
	};
	const send: ApiSend = async (request) => {
		const kind = request.method === 'PATCH' ? 'updates' : 'others';
		const { after = 0, end = '' } = fates[kind][asked[kind]++ % fates[kind].length] ?? {};
		if (end === 'fails') return { status: 500, body: {} };
		const acting = act(request, after);
		if (after < TIMEOUT && end === 'answered') return { status: 200, body: await acting };
		await sleep(Math.min(after, TIMEOUT));
		throw new BookProblem('n8n did not answer', '', 0);
	};
	return { send, rows };
}
