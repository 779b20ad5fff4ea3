import fc from 'fast-check';

import { matchIds } from '../../../nodes/shared/delivery/identify';
import type { ItemId } from '../../../nodes/shared/items/subject';

/** "ada0 bob1": the first call to Ada, and the second to Bob; "-" for an item without a subject. */
const read = (text: string): (ItemId | undefined)[] =>
	text
		.split(' ')
		.map((one) =>
			one === '-' ? undefined : { subject: one.slice(0, -1), nth: Number(one.slice(-1)) },
		);

const notesOf = (text: string): ItemId[] => read(text).filter((one) => one !== undefined);

const matched = (items: string, notes: string): string[] => {
	const matches = matchIds(read(items), notesOf(notes));
	return read(items).map((_, index) => {
		const note = matches.get(index);
		return note ? `${note.subject}${note.nth}` : '-';
	});
};

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
	expect(matched(items, notes).join(' ')).toBe(expected);
});

test('as many items of a subject have a note as there are notes, and none stands for two', () => {
	const subject = fc.constantFrom('ada', 'bob');
	const ids = fc.uniqueArray(fc.record({ subject, nth: fc.nat(6) }), {
		selector: ({ subject: of, nth }) => `${of} ${nth}`,
	});
	fc.assert(
		fc.property(ids, ids, (items, notes) => {
			const found = [...matchIds(items, notes).values()];
			expect(new Set(found).size).toBe(found.length);
			for (const of of ['ada', 'bob']) {
				const count = (all: readonly ItemId[]) => all.filter((one) => one.subject === of).length;
				expect(count(found)).toBe(Math.min(count(items), count(notes)));
			}
		}),
	);
});
