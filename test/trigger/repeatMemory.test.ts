import fc from 'fast-check';

import {
	MAX_IN_MEMORY,
	MAX_STORED,
	REMEMBERED_FOR,
	RepeatMemory,
} from '../../nodes/AssistantServiceTrigger/repeatMemory';

const NOW = 1_800_000_000_000;

/** A delivery that starts an execution if it is no repeat. Gives whether it is one, and what is stored then. */
function deliver(memory: RepeatMemory, key: string, stored?: unknown, now = NOW) {
	const isRepeat = memory.isKnown('w n', key, stored, now);
	return { isRepeat, stored: isRepeat ? stored : memory.remember('w n', key, now) };
}

/** All that a process remembers, by trigger. */
const scopesOf = (memory: RepeatMemory) =>
	(memory as unknown as { scopes: Map<string, { times: Map<string, unknown> }> }).scopes;

const timesOf = (memory: RepeatMemory) => scopesOf(memory).get('w n')?.times ?? [];

test('an event is a repeat in the same moment, and for 24 hours', () => {
	const memory = new RepeatMemory();
	const isRepeatAt = (time: number) => deliver(memory, 'call-1', undefined, time).isRepeat;

	expect([
		isRepeatAt(NOW),
		isRepeatAt(NOW),
		isRepeatAt(NOW + REMEMBERED_FOR - 1),
		isRepeatAt(NOW + REMEMBERED_FOR),
		isRepeatAt(NOW + REMEMBERED_FOR + 1),
	]).toEqual([false, true, true, false, true]);
});

test('triggers do not know the events of others', () => {
	const memory = new RepeatMemory();
	memory.remember('w 1', 'call-1', NOW);

	expect(memory.isKnown('w 2', 'call-1', undefined, NOW)).toBe(false);
});

test('what is to be stored holds all that is known, although something older was read in between', () => {
	const memory = new RepeatMemory();
	const older = deliver(memory, 'call-1').stored;
	deliver(memory, 'call-2', older);
	memory.isKnown('w n', 'call-1', older, NOW);
	const { stored } = deliver(memory, 'call-3', older);
	// The minute, and each event once.
	expect(stored).toMatch(/^\w+\.[\w-]{30}$/);

	const afterRestart = new RepeatMemory();

	const known = ['call-1', 'call-2', 'call-3'].map((key) =>
		afterRestart.isKnown('w n', key, stored, NOW),
	);
	expect(known).toEqual([true, true, true]);
});

test('events of one minute are stored together, also those of other processes', () => {
	const minute = 60_000;
	const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
	let stored = '';
	for (const [index, key] of keys.entries()) {
		const process = new RepeatMemory();
		process.isKnown('w n', key, stored, NOW + Math.floor(index / 3) * minute);
		stored = process.remember('w n', key, NOW + Math.floor(index / 3) * minute);
	}
	const one = new RepeatMemory();
	const alone = keys.map((key, index) =>
		one.remember('w n', key, NOW + Math.floor(index / 2) * minute),
	);

	const afterRestart = new RepeatMemory();

	expect(keys.every((key) => afterRestart.isKnown('w n', key, stored, NOW + minute))).toBe(true);
	expect(alone.at(-1)?.split(' ')).toHaveLength(3);
});

test('texts that differ in half a character are two events', () => {
	const memory = new RepeatMemory();
	memory.remember('w n', 'call-\ud800', NOW);

	expect(memory.isKnown('w n', 'call-\ud801', undefined, NOW)).toBe(false);
});

test('an event that is remembered twice is stored once', () => {
	const memory = new RepeatMemory();

	const stored = memory.remember('w n', 'call-1', NOW);

	expect(memory.remember('w n', 'call-1', NOW + 1)).toBe(stored);
});

test('of more events than a process remembers it forgets the oldest, not one that came again', () => {
	const memory = new RepeatMemory();
	memory.remember('w n', 'call-again', NOW);
	const later = NOW + REMEMBERED_FOR + 60_000;
	const stored = new RepeatMemory().remember('w n', 'call-again', later);
	const keys = Array.from({ length: MAX_IN_MEMORY }, (_, index) => `call-${index}`);
	for (const key of keys.slice(0, 10)) memory.remember('w n', key, NOW + 120_000);
	memory.isKnown('w n', 'call-again', stored, later);
	for (const key of keys.slice(10)) memory.remember('w n', key, later);

	expect(memory.isKnown('w n', 'call-again', undefined, later)).toBe(true);
	expect(memory.isKnown('w n', 'call-0', undefined, later)).toBe(false);
	expect(memory.isKnown('w n', 'call-1', undefined, later)).toBe(true);
});

test('what is known of triggers that are gone, and of events that are too old, is not kept', () => {
	const memory = new RepeatMemory();
	const scopes = scopesOf(memory);
	for (let hour = 0; hour < 100; hour++) {
		memory.remember('w n', `call-${hour}`, NOW + hour * 3_600_000);
		memory.remember(`w ${hour}`, 'call', NOW + hour * 3_600_000);
	}

	expect(scopes.size).toBe(1 + 24);
	expect(scopes.get('w n')?.times.size).toBe(24);
});

test('times in the future are not kept, nor do they push out others', () => {
	const memory = new RepeatMemory();
	memory.remember('w n', 'call-0', NOW);
	const future = new RepeatMemory();
	future.remember('w n', 'call-9', NOW + 2 * REMEMBERED_FOR);
	const wrong = future.remember('w n', 'call-1', NOW + 2 * REMEMBERED_FOR);

	expect(deliver(memory, 'call-1', wrong).isRepeat).toBe(false);
	expect(memory.remember('w n', 'call-2', NOW)).not.toContain(wrong);
	expect([...timesOf(memory)]).toHaveLength(3);
});

test('what is stored is bounded, and holds the newest', () => {
	const memory = new RepeatMemory();
	let stored = '';
	for (let index = 0; index < MAX_STORED + 10; index++) {
		stored = memory.remember('w n', `call-${index}`, NOW + index);
	}
	const later = NOW + MAX_STORED + 20;
	const other = new RepeatMemory();

	expect(stored.length).toBeLessThan(MAX_STORED * 11);
	expect(other.isKnown('w n', `call-${MAX_STORED + 9}`, stored, later)).toBe(true);
	expect(other.isKnown('w n', 'call-0', stored, later)).toBe(false);
	expect(memory.isKnown('w n', 'call-0', stored, later)).toBe(true);
});

test('what is stored is known for 24 hours, to the minute, and then no longer stored', () => {
	const minute = 60_000;
	const memory = new RepeatMemory();
	const keys = Array.from({ length: MAX_STORED }, (_, index) => `call-${index}`);
	const timeOf = (index: number) => NOW + index * minute + index;
	const writes = keys.map((key, index) => memory.remember('w n', key, timeOf(index)));
	const isKnownAfter = (index: number, milliseconds: number) =>
		new RepeatMemory().isKnown('w n', `call-${index}`, writes.at(-1), timeOf(index) + milliseconds);

	for (const index of [0, 1, 500, MAX_STORED - 1]) {
		expect(isKnownAfter(index, REMEMBERED_FOR - 1)).toBe(true);
		expect(isKnownAfter(index, REMEMBERED_FOR + minute)).toBe(false);
	}
	const aDayLater = memory.remember('w n', 'call', timeOf(MAX_STORED) + REMEMBERED_FOR);
	expect(aDayLater.length).toBeLessThan(100);
});

test('what is stored holds the newest of all processes, whichever stores last', () => {
	const minute = 60_000;
	const [one, other] = [new RepeatMemory(), new RepeatMemory()];
	for (let index = 0; index < MAX_STORED; index++) one.remember('w n', `old-${index}`, NOW);
	const newer = other.remember('w n', 'newer', NOW + minute);
	one.isKnown('w n', 'newest', newer, NOW + 2 * minute);
	const stored = one.remember('w n', 'newest', NOW + 2 * minute);

	const afterRestart = new RepeatMemory();

	const known = ['old-0', 'old-999', 'newer', 'newest'].map((key) =>
		afterRestart.isKnown('w n', key, stored, NOW + 3 * minute),
	);
	expect(known).toEqual([false, true, true, true]);
});

test('each event of any order starts exactly one execution, over any restarts and failures to start', () => {
	const delivery = fc.record({
		key: fc.string({ maxLength: 3 }),
		restarts: fc.boolean(),
		fails: fc.boolean(),
	});
	fc.assert(
		fc.property(fc.array(delivery), (deliveries) => {
			let memory = new RepeatMemory();
			let stored: unknown;
			const started: string[] = [];
			for (const [index, { key, restarts, fails }] of deliveries.entries()) {
				if (restarts) memory = new RepeatMemory();
				if (memory.isKnown('w n', key, stored, NOW + index) || fails) continue;
				stored = memory.remember('w n', key, NOW + index);
				started.push(key);
			}
			const taken = deliveries.filter(({ fails }) => !fails).map(({ key }) => key);
			expect(started).toEqual([...new Set(taken)]);
		}),
	);
});

test.each([
	[null],
	[42],
	[''],
	['a b c'],
	['. . .'],
	['x.!!'],
	['__proto__.zz'],
	['zzzzzz.a'],
	['zzzzzzzz.aaaaaaaaaaa'],
	[(NOW / 60_000).toString(36)],
	[`${(NOW / 60_000).toString(36)}.`],
])('survives stored nonsense (%p), and stores none of it again', (nonsense) => {
	const memory = new RepeatMemory();
	const { isRepeat, stored } = deliver(memory, 'call-1', nonsense);

	expect(isRepeat).toBe(false);
	expect(stored).toBe(deliver(new RepeatMemory(), 'call-1').stored);
	expect(deliver(memory, 'call-1', nonsense).isRepeat).toBe(true);
});
