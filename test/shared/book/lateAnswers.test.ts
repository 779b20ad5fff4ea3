import fc from 'fast-check';

import { playOut, useTime, type Fate, type Item } from './lateWorld';

useTime();

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
