import fc from 'fast-check';

import type { ItemResult } from '../../../../nodes/shared/delivery/memory/entry';
import {
	Journal,
	type NoteNames,
	type NoteStore,
} from '../../../../nodes/shared/delivery/memory/journal';
import type { ItemPlan } from '../../../../nodes/shared/request/request';
import { planOf } from '../../samples';
import { accepted, failed } from '../results';

/** Keeps notes over the runs of a test, as n8n's database does. */
class Store implements NoteStore {
	readonly notes = new Set<string>();

	readonly sizes: number[] = [];

	async add(notes: string[]): Promise<string[]> {
		const before = notes.filter((note) => this.notes.has(note));
		for (const note of notes) this.notes.add(note);
		this.sizes.push(notes.length);
		return await Promise.resolve(before);
	}

	async remove(notes: string[]): Promise<void> {
		for (const note of notes) this.notes.delete(note);
		await Promise.resolve();
	}

	async count(): Promise<number> {
		return await Promise.resolve(this.notes.size);
	}
}

const plan = planOf('call.place');
const sendAgain = planOf('call.place', { options: { ifOutcomeUnknown: 'sendAgain' } });
const plans = (count: number, of: ItemPlan = plan): ItemPlan[] => Array<ItemPlan>(count).fill(of);

/** n8n gives a token that an execution shares with its retries. */
const sharing = (token: string): NoteNames => ({ own: [token], earlier: token });

/** Which of the items a run may send that goes through all of them. */
async function sendable(
	store: Store,
	planned: ItemPlan[],
	names = sharing('e1'),
): Promise<boolean[]> {
	const journal = new Journal(store, names, planned);
	const all: boolean[] = [];
	for (const [index, one] of planned.entries()) {
		await journal.note(index);
		all.push(journal.recall(index, one) === undefined);
	}
	return all;
}

/** A run that sends these items, and ends in order with these results. */
async function runToTheEnd(store: Store, results: readonly ItemResult[]): Promise<void> {
	const journal = new Journal(store, sharing('e1'), plans(results.length));
	for (const index of results.keys()) await journal.note(index);
	await journal.close(results);
}

test('what was noted before n8n died is not sent again, and is unknown', async () => {
	const store = new Store();
	await new Journal(store, sharing('e1'), plans(120)).note(0);
	const journal = new Journal(store, sharing('e1'), plans(120));

	expect(await sendable(store, plans(120))).toEqual(plans(120).map((_, index) => index >= 50));
	await journal.note(0);
	expect(journal.recall(0, plan)).toMatchObject({
		accepted: false,
		failure: { kind: 'unreachable', outcome: 'unknown' },
	});
});

test('other executions, other places and other items are new', async () => {
	const store = new Store();
	await new Journal(store, sharing('e1'), plans(1)).note(0);

	expect(await sendable(store, plans(2))).toEqual([false, true]);
	expect(await sendable(store, plans(1), sharing('e2'))).toEqual([true]);
	expect(await sendable(store, [planOf('call.place', { toNumber: '+4915199999999' })])).toEqual([
		true,
	]);
});

test('who was reached is known whatever else was edited, and wherever it stands now', async () => {
	const store = new Store();
	const [ada, bob] = ['+4915100000001', '+4915100000002'];
	const sms = (toNumber: string, message: string) => planOf('sms.start', { toNumber, message });
	await new Journal(store, sharing('e1'), [sms(ada, 'a'), sms(ada, 'b'), sms(bob, 'c')]).note(0);

	const edited = [sms(bob, 'C'), sms(bob, 'C'), sms(ada, 'A'), sms(ada, 'B'), sms(ada, 'B')];

	expect(await sendable(store, edited)).toEqual([false, true, false, false, true]);
});

test('of an operation that reaches nobody, what was changed is new', async () => {
	const store = new Store();
	const add = (text: string) =>
		planOf('knowledgeBase.addParagraphs', { paragraphSource: 'text', text });
	await new Journal(store, sharing('e1'), [add('one')]).note(0);

	expect(await sendable(store, [add('one')])).toEqual([false]);
	expect(await sendable(store, [add('two')])).toEqual([true]);
});

describe('without a token that an execution shares with its retries', () => {
	const first = (id: string): NoteNames => ({ own: [id, 'any'], earlier: id });
	const retry = (id: string): NoteNames => ({ own: [id, 'any'], earlier: 'any' });

	test('a retry of which nothing was saved sends nothing that any execution has sent', async () => {
		const store = new Store();
		await new Journal(store, first('e1'), plans(1)).note(0);

		expect(await sendable(store, plans(1), retry('e2'))).toEqual([false]);
		expect(await sendable(store, plans(1), first('e3'))).toEqual([true]);
	});

	test('what is taken back is not what another execution has noted', async () => {
		const store = new Store();
		await new Journal(store, first('e1'), plans(1)).note(0);
		const journal = new Journal(store, first('e2'), plans(1));
		await journal.note(0);
		await journal.close([failed('refused')]);

		expect(await sendable(store, plans(1), retry('e3'))).toEqual([false]);
	});
});

test('it is sent again if the user wants that', async () => {
	const store = new Store();
	await new Journal(store, sharing('e1'), plans(1)).note(0);

	expect(await sendable(store, [sendAgain])).toEqual([true]);
});

test.each([
	['accepted', accepted, false],
	['unknown', failed('unknown'), false],
	['refused', failed('refused'), true],
	['not sent', failed('notSent'), true],
])('after a run that ended in order: an item that was %s', async (_, result, expected) => {
	const store = new Store();
	await runToTheEnd(store, [result]);

	expect(await sendable(store, plans(1))).toEqual([expected]);
});

test('a retry that is stopped before it comes to an item takes back no note but its own', async () => {
	const store = new Store();
	await new Journal(store, sharing('e1'), plans(2)).note(0);
	await runToTheEnd(store, [failed('unknown'), failed('notSent')]);

	expect(await sendable(store, plans(2))).toEqual([false, false]);
});

test('items without a plan are neither noted nor in the way', async () => {
	const store = new Store();
	const journal = new Journal(store, sharing('e1'), [undefined, plan, undefined]);
	await journal.note(1);

	expect(store.notes.size).toBe(1);
});

test('long lists are noted in at most a hundred parts', async () => {
	const store = new Store();
	await sendable(store, plans(20_000));
	expect(store.sizes).toEqual(Array(100).fill(200));
});

test('the more notes there are, the more are added at once', async () => {
	const store = new Store();
	for (let note = 0; note < 40_000; note++) store.notes.add(String(note));
	await sendable(store, plans(1_000));
	expect(store.sizes).toEqual(Array(5).fill(200));
});

test('whenever n8n dies, nothing that was noted is sent again, and every item is noted before it is sent', async () => {
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 1, max: 300 }), fc.nat(), async (count, seed) => {
			const diesAt = seed % count;
			const store = new Store();
			const first = new Journal(store, sharing('e1'), plans(count));
			for (let index = 0; index <= diesAt; index++) await first.note(index);

			const again = await sendable(store, plans(count));

			expect(again.slice(0, diesAt + 1)).toEqual(Array(diesAt + 1).fill(false));
			expect(again.filter((may) => !may).length).toBeLessThanOrEqual(diesAt + 50);
		}),
	);
});
