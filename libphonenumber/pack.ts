import type { Packed } from '../nodes/shared/rules/digitTree';

/** Characters that may stand for a pair; they need no escape within single quotes. */
const SYMBOLS = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter(
	(symbol) => !"'\\".includes(symbol),
);

/** Replaces the commonest pair of characters by a new one, as long as there are characters and it saves space. */
export function pack(text: string): Packed {
	const free = SYMBOLS.filter((symbol) => !text.includes(symbol));
	let [pairs, packed] = ['', text];
	for (const symbol of free) {
		const [pair, times] = commonestPair(packed);
		if (times < 4) break;
		packed = packed.split(pair).join(symbol);
		pairs += symbol + pair;
	}
	return { pairs, text: packed };
}

function commonestPair(text: string): [pair: string, times: number] {
	const counts = new Map<string, number>();
	let counted = -1;
	for (let at = 0; at + 1 < text.length; at++) {
		const pair = text.slice(at, at + 2);
		// The three of "aaa" are one pair, not two.
		const overlaps = counted === at - 1 && pair === text.slice(at - 1, at + 1);
		if (overlaps) continue;
		counts.set(pair, (counts.get(pair) ?? 0) + 1);
		counted = at;
	}
	return [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), ['', 0]);
}
