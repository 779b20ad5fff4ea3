import fc from 'fast-check';

import { matchItems, type KeyedItem } from '../../../../nodes/shared/delivery/ledger/matching';

/** An item as "place input request recipient"; `-` for a key that it does not have. */
function item(text: string): KeyedItem {
	const [index = '', inputHash = '', requestHash = '-', recipientHash = '-'] = text.split(' ');
	return {
		index: Number(index),
		inputHash,
		...(requestHash !== '-' && { requestHash }),
		...(recipientHash !== '-' && { recipientHash }),
	};
}

/** Which of the earlier ones each item is, by their places in the lists; `null` for none. */
function matched(items: string[], earlier: string[], isTool = false): (number | null)[] {
	const known = earlier.map(item);
	const all = items.map(item);
	const matches = matchItems(all, known, isTool);
	return all.map(({ index }) => {
		const match = matches.get(index);
		return match === undefined ? null : known.indexOf(match);
	});
}

test.each<[name: string, items: string[], earlier: string[], expected: (number | null)[]]>([
	[
		'place and request before the first such request',
		['0 y r', '1 y r'],
		['1 x r', '0 x r'],
		[1, 0],
	],
	['place and input before the request', ['0 y r'], ['1 x r', '0 y q'], [1]],
	['the same request at another place', ['0 y r'], ['5 x r'], [0]],
	['the request before place and recipient', ['0 y r p'], ['0 x q p', '5 z r p'], [1]],
	['place and recipient before the first such recipient', ['0 y r p'], ['5 x q p', '0 z s p'], [1]],
	['the same recipient at another place', ['0 y r p'], ['5 x q p'], [0]],
	['nothing in common but the place', ['0 y r p'], ['0 x q o'], [null]],
	['no request and no recipient, twice', ['0 y'], ['1 x'], [null]],
	['what cannot be read, by its place and input item', ['0 b.i'], ['0 a.i r p'], [0]],
	['what cannot be read, at another place', ['1 b.i'], ['0 a.i r p'], [null]],
	['another request of the same place and input item', ['0 b.i q'], ['0 a.i r'], [null]],
	['another recipient there, of an item that is refused', ['0 b.i - o'], ['0 a.i r p'], [null]],
	['two items for one earlier one: the first is it', ['0 y r', '1 y r'], ['5 x r'], [0, null]],
	[
		'equal items, in their order',
		['3 y r', '4 y r', '5 y r'],
		['0 x r', '1 x r', '2 x r'],
		[0, 1, 2],
	],
	['an earlier one that a surer rule gave away', ['0 y q p', '1 y r o'], ['1 x r p'], [null, 0]],
	[
		'an item that a surer rule has found, once',
		['0 y r p', '1 z q p'],
		['0 y r s', '5 w t p'],
		[0, 1],
	],
])('%s', (_, items, earlier, expected) => {
	expect(matched(items, earlier)).toEqual(expected);
});

test('the call of a tool is known by its request alone', () => {
	expect(matched(['0 y r p'], ['0 y q p'], true)).toEqual([null]);
	expect(matched(['0 y r'], ['5 x r'], true)).toEqual([0]);
	expect(matched(['0 y'], ['0 y'], true)).toEqual([null]);
});

test('no earlier one stands for two items, and the same run matches itself', () => {
	const one = fc
		.tuple(
			fc.constantFrom('a.i', 'b.i', 'b.j'),
			fc.constantFrom('-', 'q', 'r'),
			fc.constantFrom('-', 'o', 'p'),
		)
		.map((keys) => keys.join(' '));
	const run = fc.array(one).map((all) => all.map((keys, index) => `${index} ${keys}`));
	fc.assert(
		fc.property(run, run, fc.boolean(), (items, earlier, isTool) => {
			const found = matched(items, earlier, isTool).filter((place) => place !== null);
			expect(new Set(found).size).toBe(found.length);
			expect(matched(items, items)).toEqual(items.map((_, place) => place));
		}),
	);
});
