import fc from 'fast-check';

import {
	MAX_STORED,
	REMEMBERED_FOR,
	RepeatMemory,
} from '../../nodes/AssistantServiceTrigger/repeats';

const NOW = 1_800_000_000_000;

test('an event is a repeat in the same moment, and for 24 hours', () => {
	const memory = new RepeatMemory();
	const isRepeatAt = (time: number) => memory.register('w n', 'call-1', undefined, time).isRepeat;

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
	memory.register('w 1', 'call-1', undefined, NOW);

	expect(memory.register('w 2', 'call-1', undefined, NOW).isRepeat).toBe(false);
});

test('an event that was forgotten is no repeat, here and elsewhere', () => {
	const memory = new RepeatMemory();
	memory.register('w n', 'call-1', undefined, NOW);
	memory.forget('w n', 'call-1');
	const { stored } = memory.register('w n', 'call-2', undefined, NOW);

	const other = new RepeatMemory();

	for (const process of [memory, other]) {
		expect(process.register('w n', 'call-2', stored, NOW).isRepeat).toBe(true);
		expect(process.register('w n', 'call-1', stored, NOW).isRepeat).toBe(false);
	}
});

test('another process knows an event by what was stored', () => {
	const { stored } = new RepeatMemory().register('w n', 'call-1', undefined, NOW);

	const other = new RepeatMemory();

	expect(other.register('w n', 'call-1', stored, NOW + 1000).isRepeat).toBe(true);
	expect(other.register('w n', 'call-2', stored, NOW + 1000).isRepeat).toBe(false);
});

test('deliveries of the same moment lose nothing, although each overwrites what the others stored', () => {
	const first = new RepeatMemory();
	const before = undefined;
	const writes = Array.from(
		{ length: 40 },
		(_, index) => first.register('w n', `call-${index}`, before, NOW).stored,
	);

	const afterRestart = new RepeatMemory();

	const known = Array.from(
		{ length: 40 },
		(_, index) => afterRestart.register('w n', `call-${index}`, writes.at(-1), NOW + 1).isRepeat,
	);
	expect(known).toEqual(Array(40).fill(true));
});

test('what is to be stored holds all that is known, although something older was read in between', () => {
	const memory = new RepeatMemory();
	const older = memory.register('w n', 'call-1', undefined, NOW).stored;
	memory.register('w n', 'call-2', older, NOW);
	memory.register('w n', 'call-1', older, NOW);

	const afterRestart = new RepeatMemory();

	const stored = memory.latest('w n');
	expect(afterRestart.register('w n', 'call-1', stored, NOW).isRepeat).toBe(true);
	expect(afterRestart.register('w n', 'call-2', stored, NOW).isRepeat).toBe(true);
});

test('what is stored is bounded, and holds the newest', () => {
	const memory = new RepeatMemory();
	let stored = '';
	for (let index = 0; index < MAX_STORED + 10; index++) {
		({ stored } = memory.register('w n', `call-${index}`, stored, NOW + index));
	}
	const other = new RepeatMemory();
	const isKnown = (index: number) =>
		other.register('w n', `call-${index}`, stored, NOW + MAX_STORED + 20).isRepeat;

	expect(stored.length).toBeLessThan(MAX_STORED * 25);
	expect(isKnown(MAX_STORED + 9)).toBe(true);
	expect(isKnown(0)).toBe(false);
	expect(memory.register('w n', 'call-0', stored, NOW + MAX_STORED + 20).isRepeat).toBe(true);
});

test('each event of any order starts exactly one execution, over any restarts', () => {
	fc.assert(
		fc.property(
			fc.array(fc.record({ key: fc.string({ maxLength: 3 }), restarts: fc.boolean() })),
			(deliveries) => {
				let memory = new RepeatMemory();
				let stored: string | undefined;
				const started: string[] = [];
				for (const [index, { key, restarts }] of deliveries.entries()) {
					if (restarts) memory = new RepeatMemory();
					const result = memory.register('w n', key, stored, NOW + index);
					stored = result.stored;
					if (!result.isRepeat) started.push(key);
				}
				expect(started).toEqual([...new Set(deliveries.map(({ key }) => key))]);
			},
		),
	);
});

test.each([[null], [42], [''], ['a b c'], ['. . .'], ['x.!!'], ['__proto__.zz']])(
	'survives stored nonsense (%p)',
	(stored) => {
		const memory = new RepeatMemory();

		expect(memory.register('w n', 'call-1', stored, NOW).isRepeat).toBe(false);
		expect(memory.register('w n', 'call-1', stored, NOW).isRepeat).toBe(true);
	},
);
