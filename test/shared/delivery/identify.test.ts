import fc from 'fast-check';

import { identify, matchIds, type EarlierRow } from '../../../nodes/shared/delivery/identify';
import type { Note } from '../../../nodes/shared/delivery/note';
import type { Item } from '../../../nodes/shared/items/item';
import { nameOfItem, type ItemId } from '../../../nodes/shared/items/subject';
import { planOf } from '../samples';
import { refused } from './results';

/** "ada0 bob1": the first call to Ada, and the second to Bob; "-" for an item without a subject. */
const read = (text: string): (ItemId | undefined)[] =>
	text
		.split(' ')
		.map((one) =>
			one === '-' ? undefined : { subject: one.slice(0, -1), nth: Number(one.slice(-1)) },
		);

test.each<[name: string, items: string, notes: string, expected: string]>([
	['each has its own', 'ada0 bob0 ada1', 'ada1 bob0 ada0', 'ada0 bob0 ada1'],
	['a new one has none', 'ada0 ada1', 'ada0', 'ada0 -'],
	['one that was refused before another', 'ada0 ada1', 'ada1', '- ada1'],
	['a row is gone: what is left stands for the first', 'ada0', 'ada1', 'ada1'],
	['two rows are gone: the lowest numbers come first', 'ada0 ada1', 'ada3 ada2', 'ada2 ada3'],
	['its own comes before what is left', 'ada0 ada1 ada2', 'ada5 ada1', 'ada5 ada1 -'],
	['of another person', 'bob0', 'ada0', '-'],
	['without a subject', '- ada0', 'ada0', '- ada0'],
])('%s', (_, items, notes, expected) => {
	const sent = read(notes).filter((one) => one !== undefined);
	const matches = matchIds(read(items), sent);

	expect(read(items).map((__, index) => matches.get(index))).toEqual(read(expected));
});

const call = planOf('call.place');
const anyIds = fc.uniqueArray(
	fc.record({ subject: fc.constantFrom('ada', 'bob'), nth: fc.nat(5) }),
	{ maxLength: 6, selector: nameOfItem },
);
const anyItems = fc.array(
	fc
		.tuple(fc.constantFrom('ada', 'bob', undefined), fc.boolean())
		.map(([subject, isFaulty]): Item => ({ ...(isFaulty ? refused : call), subject })),
	{ maxLength: 6 },
);
const anyTries = fc.record({
	taken: anyIds.map((ids) => new Set(ids.map(nameOfItem))),
	notes: anyIds.map((ids) => ids.map((id, index): Note => ({ ...id, index }))),
	rows: anyIds.map((ids) =>
		ids.map((id): EarlierRow => ({ ...id, outcome: 'unknown', contactId: null })),
	),
});

test('of a subject, as many items are known as were sent before, and no two are the same', () => {
	fc.assert(
		fc.property(anyItems, anyTries, (items, { taken, notes, rows }) => {
			const isTaken = (id: ItemId): boolean => taken.has(nameOfItem(id));

			const { identities, missing } = identify(items, { isTaken, notes, rows });

			const ids = identities.flatMap(({ id }) => id ?? []);
			expect(new Set(ids.map(nameOfItem)).size).toBe(ids.length);
			expect(ids.map(({ subject }) => subject)).toEqual(
				items.flatMap((item) => item.subject ?? []),
			);
			expect(identities.filter(({ note }) => note).length + missing.length).toBe(notes.length);
			for (const subject of ['ada', 'bob']) {
				const isOf = (id: { readonly subject?: string }): boolean => id.subject === subject;
				const noted = new Set(notes.filter(isOf).map(nameOfItem));
				const free = rows
					.filter(isOf)
					.filter((row) => !noted.has(nameOfItem(row)) && !isTaken(row));
				const sentBefore = identities.filter(
					({ id = {}, note, row }) => isOf(id) && (note !== undefined || row !== undefined),
				);
				expect(sentBefore.length).toBe(
					Math.min(items.filter(isOf).length, noted.size + free.length),
				);
			}
		}),
	);
});

test('what a try has sent is known again in the next, whatever it was deleted or added before', () => {
	fc.assert(
		fc.property(anyItems, anyTries, fc.nat(6), (items, { taken, ...tries }, deleted) => {
			const isTaken = (id: ItemId): boolean => taken.has(nameOfItem(id));
			const first = identify(items, { isTaken, ...tries }).identities;
			const sent = first.flatMap(({ id }, index): Note[] => (id ? [{ ...id, index }] : []));
			const left = items.filter((_, index) => index !== deleted);

			const again = identify(left, { isTaken, notes: sent, rows: [] }).identities;

			expect(again.map(({ note }) => note !== undefined)).toEqual(
				left.map(({ subject }) => subject !== undefined),
			);
		}),
	);
});
