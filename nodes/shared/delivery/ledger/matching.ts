import { itemHashOf, type ItemKeys } from '../../request/itemKeys';

/** An item of a run by its index in it. */
export interface KeyedItem extends ItemKeys {
	readonly index: number;
}

/** A way to recognise an item. */
interface Criterion {
	/** Two items with the same key are the same; `undefined` if the criterion does not apply. */
	readonly keyOf: (item: KeyedItem) => string | undefined;
	/** Which items of a run it is for; all if absent. */
	readonly isFor?: (item: KeyedItem) => boolean;
}

/** The surest comes first. */
const CRITERIA: readonly Criterion[] = [
	{ keyOf: ({ index, requestHash }) => requestHash && `${index} ${requestHash}` },
	{ keyOf: ({ index, inputHash }) => `${index} ${inputHash}` },
	{ keyOf: ({ requestHash }) => requestHash },
	{ keyOf: ({ index, recipientHash }) => recipientHash && `${index} ${recipientHash}` },
	{ keyOf: ({ recipientHash }) => recipientHash },
	// An item whose values cannot be read is recognised by its index and input item.
	{
		keyOf: ({ index, inputHash }) => `${index} ${itemHashOf(inputHash)}`,
		isFor: ({ requestHash, recipientHash }) =>
			requestHash === undefined && recipientHash === undefined,
	},
];

/** Calls of a tool have no index in a list, and the model gives each of them other values, which no input hash shows. */
const TOOL_CRITERIA: readonly Criterion[] = [{ keyOf: ({ requestHash }) => requestHash }];

/**
 * Finds the items of a run among those of earlier tries. Each earlier one stands for one item at most: three rows
 * with the same number are three calls. (After a crash there are no notes to match: see `sendNumbers.ts`.)
 *
 * @returns the earlier item by the index of the item
 */
export function matchItems<T extends KeyedItem>(
	items: readonly KeyedItem[],
	earlier: readonly T[],
	isTool: boolean,
): Map<number, T> {
	const matches = new Map<number, T>();
	const taken = new Set<T>();
	for (const { keyOf, isFor = () => true } of isTool ? TOOL_CRITERIA : CRITERIA) {
		const candidates = stacksBy(
			earlier.filter((one) => !taken.has(one)),
			keyOf,
		);
		for (const item of items) {
			const key = keyOf(item);
			if (key === undefined || matches.has(item.index) || !isFor(item)) continue;
			const match = candidates.get(key)?.pop();
			if (match === undefined) continue;
			matches.set(item.index, match);
			taken.add(match);
		}
	}
	return matches;
}

/** A stack for each key: `pop` takes the first one. */
function stacksBy<T extends KeyedItem, K>(all: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
	const stacks = new Map<K, T[]>();
	for (const one of all.toReversed()) {
		const key = keyOf(one);
		const stack = stacks.get(key);
		if (stack) stack.push(one);
		else stacks.set(key, [one]);
	}
	return stacks;
}
