import { createFailure } from '../../../../nodes/shared/answer/failure';
import fc from 'fast-check';

import type { ItemResult } from '../../../../nodes/shared/delivery/memory/entry';
import { CrashMemory, type MarkNames } from '../../../../nodes/shared/delivery/memory/crashMemory';
import { SendNumbers } from '../../../../nodes/shared/delivery/memory/sendNumbers';
import type { ItemPlan } from '../../../../nodes/shared/request/request';
import { planOf } from '../../samples';
import { accepted, failed } from '../results';
import { sharing, Store } from './keptMarks';

const plan = planOf('call.place');
const sendAgain = planOf('call.place', { options: { ifOutcomeUnknown: 'sendAgain' } });
const plans = (count: number, of: ItemPlan = plan): ItemPlan[] => Array<ItemPlan>(count).fill(of);

const firstRun = (): SendNumbers => new SendNumbers({}, '0');

/** Which of the items a run may send that goes through all of them. */
async function sendable(
	store: Store,
	planned: ItemPlan[],
	names = sharing('e1'),
): Promise<boolean[]> {
	const crashMemory = new CrashMemory(store, names, planned, firstRun());
	const all: boolean[] = [];
	for (const [index, one] of planned.entries()) {
		await crashMemory.mark(index);
		all.push(crashMemory.recall(index, one) === undefined);
	}
	return all;
}

/** A run that sends these items, and ends in order with these results. */
async function runToTheEnd(store: Store, results: readonly ItemResult[]): Promise<void> {
	const crashMemory = new CrashMemory(store, sharing('e1'), plans(results.length), firstRun());
	for (const index of results.keys()) await crashMemory.mark(index);
	await crashMemory.close(results);
}

test('what was marked before n8n died is not sent again, and is unknown', async () => {
	const store = new Store();
	await new CrashMemory(store, sharing('e1'), plans(120), firstRun()).mark(0);
	const crashMemory = new CrashMemory(store, sharing('e1'), plans(120), firstRun());

	expect(await sendable(store, plans(120))).toEqual(plans(120).map((_, index) => index >= 50));
	await crashMemory.mark(0);
	expect(crashMemory.recall(0, plan)).toMatchObject({
		accepted: false,
		failure: { kind: 'unreachable', outcome: 'unknown' },
	});
});

test('other executions, other places and other items are new', async () => {
	const store = new Store();
	await new CrashMemory(store, sharing('e1'), plans(1), firstRun()).mark(0);

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
	await new CrashMemory(
		store,
		sharing('e1'),
		[sms(ada, 'a'), sms(ada, 'b'), sms(bob, 'c')],
		firstRun(),
	).mark(0);

	const edited = [sms(bob, 'C'), sms(bob, 'C'), sms(ada, 'A'), sms(ada, 'B'), sms(ada, 'B')];

	expect(await sendable(store, edited)).toEqual([false, true, false, false, true]);
});

test('of an operation that reaches nobody, what was changed is new', async () => {
	const store = new Store();
	const add = (text: string) =>
		planOf('knowledgeBase.addParagraphs', { paragraphSource: 'text', text });
	await new CrashMemory(store, sharing('e1'), [add('one')], firstRun()).mark(0);

	expect(await sendable(store, [add('one')])).toEqual([false]);
	expect(await sendable(store, [add('two')])).toEqual([true]);
});

test.each([
	['another input', { inputHash: 'another' }, false],
	['another request', { requestHash: 'another' }, false],
	['both', { inputHash: 'another', requestHash: 'another' }, true],
])('of an operation that reaches nobody, an item with %s', async (_, keys, expected) => {
	const store = new Store();
	const chat = planOf('chat.start');
	const again = { ...chat, keys: { ...chat.keys, ...keys } };
	await new CrashMemory(store, sharing('e1'), [chat], firstRun()).mark(0);

	expect(await sendable(store, [again, again])).toEqual([expected, true]);
});

describe('without a token that an execution shares with its retries', () => {
	const first = (id: string): MarkNames => ({ own: [id, 'any'], earlier: id });
	const retry = (id: string): MarkNames => ({ own: [id, 'any'], earlier: 'any' });

	test('a retry of which nothing was saved sends nothing that any execution has sent', async () => {
		const store = new Store();
		await new CrashMemory(store, first('e1'), plans(1), firstRun()).mark(0);

		expect(await sendable(store, plans(1), retry('e2'))).toEqual([false]);
		expect(await sendable(store, plans(1), first('e3'))).toEqual([true]);
	});

	test('what is taken back is not what another execution has marked', async () => {
		const store = new Store();
		await new CrashMemory(store, first('e1'), plans(1), firstRun()).mark(0);
		const crashMemory = new CrashMemory(store, first('e2'), plans(1), firstRun());
		await crashMemory.mark(0);
		await crashMemory.close([failed('refused')]);

		expect(await sendable(store, plans(1), retry('e3'))).toEqual([false]);
	});
});

test('it is sent again if the user wants that', async () => {
	const store = new Store();
	await new CrashMemory(store, sharing('e1'), plans(1), firstRun()).mark(0);

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

test('a retry that is stopped before it comes to an item takes back no mark but its own', async () => {
	const store = new Store();
	await new CrashMemory(store, sharing('e1'), plans(2), firstRun()).mark(0);
	await runToTheEnd(store, [failed('unknown'), failed('notSent')]);

	expect(await sendable(store, plans(2))).toEqual([false, false]);
});

test('items that are refused are neither marked nor in the way', async () => {
	const store = new Store();
	const refused = { ...plan, failure: createFailure({ kind: 'invalidInput', outcome: 'notSent' }) };
	const crashMemory = new CrashMemory(store, sharing('e1'), [refused, plan, refused], firstRun());
	await crashMemory.mark(1);

	expect(store.marks.size).toBe(1);
});

test('long lists are marked in at most a hundred parts', async () => {
	const store = new Store();
	await sendable(store, plans(20_000));
	expect(store.sizes).toEqual(Array(100).fill(200));
});

test('the more marks there are, the more are added at once', async () => {
	const store = new Store();
	for (let mark = 0; mark < 40_000; mark++) store.marks.add(String(mark));
	await sendable(store, plans(1_000));
	expect(store.sizes).toEqual(Array(5).fill(200));
});

test('whenever n8n dies, nothing that was marked is sent again, and every item is marked before it is sent', async () => {
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 1, max: 300 }), fc.nat(), async (count, seed) => {
			const diesAt = seed % count;
			const store = new Store();
			const first = new CrashMemory(store, sharing('e1'), plans(count), firstRun());
			for (let index = 0; index <= diesAt; index++) await first.mark(index);

			const again = await sendable(store, plans(count));

			expect(again.slice(0, diesAt + 1)).toEqual(Array(diesAt + 1).fill(false));
			expect(again.filter((may) => !may).length).toBeLessThanOrEqual(diesAt + 50);
		}),
	);
});
