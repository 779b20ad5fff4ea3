import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { ItemResult } from '../../../../nodes/shared/delivery/memory/entry';
import {
	CrashMemory,
	type MarkNames,
	type MarkStore,
} from '../../../../nodes/shared/delivery/memory/crashMemory';
import { SendNumbers } from '../../../../nodes/shared/delivery/memory/sendNumbers';
import type { ItemPlan } from '../../../../nodes/shared/request/request';
import { planOf } from '../../samples';
import { accepted, failed } from '../results';

/** Keeps marks over the runs of a test, as n8n's database does. */
class Store implements MarkStore {
	readonly marks = new Set<string>();

	readonly sizes: number[] = [];

	async add(marks: string[]): Promise<string[]> {
		const before = marks.filter((mark) => this.marks.has(mark));
		for (const mark of marks) this.marks.add(mark);
		this.sizes.push(marks.length);
		return await Promise.resolve(before);
	}

	async remove(marks: string[]): Promise<void> {
		for (const mark of marks) this.marks.delete(mark);
		await Promise.resolve();
	}

	async count(): Promise<number> {
		return await Promise.resolve(this.marks.size);
	}
}

const plan = planOf('call.place');
const sendAgain = planOf('call.place', { options: { ifOutcomeUnknown: 'sendAgain' } });
const plans = (count: number, of: ItemPlan = plan): ItemPlan[] => Array<ItemPlan>(count).fill(of);

/** n8n gives a token that an execution shares with its retries. */
const sharing = (token: string): MarkNames => ({
	own: [token],
	earlier: token,
	execution: token,
});

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

test('items without a plan are neither marked nor in the way', async () => {
	const store = new Store();
	const crashMemory = new CrashMemory(
		store,
		sharing('e1'),
		[undefined, plan, undefined],
		firstRun(),
	);
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

/** The runs of a node in one execution. n8n may save it and load it again after each. */
class Execution {
	private context: IDataObject = {};

	private run = 0;

	private crashMemory: CrashMemory | undefined;

	constructor(private readonly store: Store) {}

	/** Begins a run; gives which of its items may be sent. */
	async begin(planned: ItemPlan[]): Promise<boolean[]> {
		this.context = JSON.parse(JSON.stringify(this.context)) as IDataObject;
		const names = { ...sharing(`e1 ${this.run}`), execution: 'e1' };
		const numbers = new SendNumbers(this.context, String(this.run));
		const crashMemory = new CrashMemory(this.store, names, planned, numbers);
		for (const index of planned.keys()) await crashMemory.mark(index);
		this.crashMemory = crashMemory;
		return planned.map((one, index) => crashMemory.recall(index, one) === undefined);
	}

	async end(results: readonly ItemResult[]): Promise<void> {
		await this.crashMemory?.close(results);
		this.run++;
	}
}

/** Goes through the rounds of a loop; gives which of their items may be sent. */
async function sendableInLoop(store: Store, rounds: ItemPlan[][]): Promise<boolean[][]> {
	const all: boolean[][] = [];
	const execution = new Execution(store);
	for (const planned of rounds) {
		const may = await execution.begin(planned);
		all.push(may);
		await execution.end(may.map((one) => (one ? accepted : failed('unknown'))));
	}
	return all;
}

test.each(['call.place', 'chat.start'])(
	'what a round of a loop has marked is known in another round of the retry: %s',
	async (operation) => {
		const store = new Store();
		const property = operation === 'call.place' ? 'toNumber' : 'userIdentifier';
		const one = (who: string) => planOf(operation, { [property]: who });
		const [first, second, third] = [one('+15550100101'), one('+15550100102'), one('+15550100103')];
		await sendableInLoop(store, [[first], [second]]);

		expect(await sendableInLoop(store, [[second, third], [first]])).toEqual([
			[false, true],
			[false],
		]);
	},
);

test.each(['call.place', 'chat.start'])(
	'what each round of a loop sends again is sent as often as before n8n died at most: %s',
	async (operation) => {
		const store = new Store();
		const same = planOf(operation);

		expect(await sendableInLoop(store, [[same], [same, same]])).toEqual([[true], [true, true]]);
		expect(await sendableInLoop(store, [[same], [same, same], [same]])).toEqual([
			[false],
			[false, false],
			[true],
		]);
	},
);

/**
 * Gives each contact to the node, and those that it refused or held back once more in the next round, as often as there
 * are rounds. Counts how often each person was reached.
 */
async function goThrough(
	store: Store,
	people: readonly number[],
	rounds: readonly (readonly boolean[])[],
	reached: Map<number, number>,
): Promise<void> {
	const execution = new Execution(store);
	let open = [...people];
	for (const takes of rounds) {
		const may = await execution.begin(open.map(personOf));
		const isTaken = (index: number): boolean => takes[index % takes.length] === true;
		const results = may.map((one, index) =>
			one ? (isTaken(index) ? accepted : failed('refused')) : failed('unknown'),
		);
		for (const [index, person] of open.entries()) {
			if (results[index] === accepted) reached.set(person, (reached.get(person) ?? 0) + 1);
		}
		await execution.end(results);
		open = open.filter((_, index) => may[index] === true && !isTaken(index));
	}
}

const personOf = (person: number): ItemPlan =>
	planOf('call.place', { toNumber: `+1555010${String(1000 + person)}` });

const someRounds = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), {
	minLength: 1,
	maxLength: 4,
});

/** Some people, of whom some come more than once, and whom each round of an execution and of its retry takes. */
const LOOPS = [
	fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }),
	someRounds,
	someRounds,
] as const;

test('whoever comes again in a loop after a refusal is reached once for each contact, also if n8n dies and the loop begins anew', async () => {
	await fc.assert(
		fc.asyncProperty(...LOOPS, async (people, rounds, roundsOfRetry) => {
			const store = new Store();
			const reached = new Map<number, number>();
			await goThrough(store, people, [...rounds, [true]], reached);
			const wanted = new Map(people.map((one) => [one, people.filter((p) => p === one).length]));
			expect(reached).toEqual(wanted);

			await goThrough(store, people, [...roundsOfRetry, [true]], reached);
			expect(reached).toEqual(wanted);
		}),
	);
});

test('nobody is reached more often than there are contacts, wherever in a loop n8n dies', async () => {
	await fc.assert(
		fc.asyncProperty(...LOOPS, async (people, rounds, roundsOfRetry) => {
			const store = new Store();
			const reached = new Map<number, number>();
			await goThrough(store, people, rounds, reached);
			await goThrough(store, people, [...roundsOfRetry, [true]], reached);

			for (const [person, times] of reached)
				expect(times).toBeLessThanOrEqual(people.filter((one) => one === person).length);
			expect([...reached.keys()].sort()).toEqual([...new Set(people)].sort());
		}),
	);
});
