import type { ItemKeys } from '../../request/itemKeys';

/** An item of a run by its place in it. */
export interface KeyedItem extends ItemKeys {
	readonly index: number;
}

/** Two items with the same result are the same; `undefined` if the rule does not apply. */
type Rule = (item: KeyedItem) => string | undefined;

/** The surest rule comes first. */
const RULES: readonly Rule[] = [
	({ index, requestHash }) => `${index} ${requestHash}`,
	({ index, inputHash }) => `${index} ${inputHash}`,
	({ requestHash }) => requestHash,
	({ index, recipientHash }) => recipientHash && `${index} ${recipientHash}`,
	({ recipientHash }) => recipientHash,
];

/** Calls of a tool have no place in a list, and an expression may give each of them another value. */
const TOOL_RULES: readonly Rule[] = [({ requestHash }) => requestHash];

/**
 * Finds the items of a run among those of earlier tries. Each earlier one stands for one item at most: three rows
 * with the same number are three calls.
 *
 * @returns the earlier one by the place of the item
 */
export function matchItems<T extends KeyedItem>(
	items: readonly KeyedItem[],
	earlier: readonly T[],
	isTool: boolean,
): Map<number, T> {
	const matches = new Map<number, T>();
	const taken = new Set<T>();
	for (const rule of isTool ? TOOL_RULES : RULES) {
		const candidates = groupBy(
			earlier.filter((one) => !taken.has(one)),
			rule,
		);
		for (const item of items) {
			const key = rule(item);
			if (key === undefined || matches.has(item.index)) continue;
			const match = candidates.get(key)?.pop();
			if (match === undefined) continue;
			matches.set(item.index, match);
			taken.add(match);
		}
	}
	return matches;
}

/** By key, the first one last. */
function groupBy<T extends KeyedItem>(all: readonly T[], rule: Rule): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const one of all.toReversed()) {
		const key = rule(one);
		if (key === undefined) continue;
		const group = groups.get(key);
		if (group) group.push(one);
		else groups.set(key, [one]);
	}
	return groups;
}
