import fc from 'fast-check';

import { playOut, useClocks, type Fate, type Fates, type Process } from './lateWorld';

useClocks();

const soon = fc.integer({ min: 1, max: 300 });
const minutes = (min: number, max: number) => fc.integer({ min: 60_000 * min, max: 60_000 * max });

const fate = (after: fc.Arbitrary<number>, ...ends: Fate['end'][]): fc.Arbitrary<Fate> =>
	fc.record({ after, end: fc.constantFrom(...ends) });
const good = { weight: 20, arbitrary: fate(soon, 'answered') };
const bad = { weight: 2, arbitrary: fate(soon, 'lost', 'fails') };
const late = fate(minutes(1, 9), 'answered');
const some = <T>(arbitrary: fc.Arbitrary<T>) =>
	fc.array(arbitrary, { minLength: 1, maxLength: 30 });

/** Three processes with two items each; none begins after five minutes. */
const processes = (ahead: fc.Arbitrary<number>, time: (most: number) => fc.Arbitrary<number>) => {
	const times = { beginAt: time(5), holds: time(15), lasts: time(9) };
	const item = fc.record({ ...times, isMade: fc.boolean() });
	const one = fc.record({ ahead, items: fc.tuple(item, item) });
	return fc.tuple(one, one, one);
};

/** The persons who were contacted. Whoever is sent keeps others away until the answer. */
async function contacted(all: readonly Process[], fates: Fates): Promise<number[]> {
	const sent = await playOut(all, fates);
	expect(sent.filter(({ outcome }) => outcome !== 'claimed')).toEqual([]);
	return sent.flatMap(({ person, isMade }) => (isMade ? person : [])).sort();
}

test('whatever n8n does late, and however long claims are held, nobody is contacted twice', async () => {
	// From ten minutes on, clocks are too far apart.
	const any = processes(minutes(0, 9.9), (most) => fc.oneof(soon, minutes(0, most)));
	const updates = some(fc.oneof(good, bad, { weight: 40, arbitrary: late }));
	const others = some(fc.oneof(good, bad, { weight: 1, arbitrary: late }));
	await fc.assert(
		fc.asyncProperty(any, fc.record({ updates, others }), async (all, fates) => {
			const people = await contacted(all, fates);
			expect(people).toEqual([...new Set(people)]);
		}),
		{ numRuns: 300 },
	);
});

test('if n8n answers soon, everybody is contacted whose contact can be made', async () => {
	const quick = processes(fc.constant(0), () => soon);
	await fc.assert(
		fc.asyncProperty(quick, some(good.arbitrary), async (all, fates) => {
			const reached = [0, 1].filter((person) => all.some(({ items }) => items[person]?.isMade));
			expect(await contacted(all, { updates: fates, others: fates })).toEqual(reached);
		}),
	);
});
