import type { IDataObject } from 'n8n-workflow';

/** How long a result for an agent may be, in characters of JSON. */
const MAX_RESULT = 30_000;

const HOW_TO_READ_ALL = 'To get everything, turn off "Simplify" in the options of this tool.';

/**
 * The result of a tool, so short that an agent can read it. Of too many items the first ones are kept; of an item that is
 * too long, the last entries of its longest list, such as the messages of a conversation. `leftOut` says in a sentence
 * what is missing. Texts are never cut.
 */
export function shortenForAgent(items: readonly IDataObject[]): readonly IDataObject[] {
	const [first] = items;
	if (first === undefined || lengthOf(items) <= MAX_RESULT) return items;
	if (items.length === 1) return [shortenItem(first)];
	const kept = firstThatFit(items, MAX_RESULT);
	const leftOut = `Only the first ${kept.length} of ${items.length} results are here. ${HOW_TO_READ_ALL}`;
	return [...kept, { leftOut }];
}

function shortenItem(item: IDataObject): IDataObject {
	const lists = Object.entries(item).flatMap(([name, list]) =>
		Array.isArray(list) ? [{ name, list: list as readonly unknown[], length: lengthOf(list) }] : [],
	);
	const [longest] = lists.sort((one, other) => other.length - one.length);
	if (longest === undefined) return item;
	const { name, list, length } = longest;
	const kept = firstThatFit([...list].reverse(), MAX_RESULT - lengthOf(item) + length).reverse();
	const leftOut = `Only the last ${kept.length} of ${list.length} entries of ${name} are here. ${HOW_TO_READ_ALL}`;
	return { ...item, [name]: kept, leftOut };
}

function firstThatFit<T>(entries: readonly T[], room: number): T[] {
	let left = room;
	const end = entries.findIndex((entry) => (left -= lengthOf(entry)) < 0);
	return entries.slice(0, end === -1 ? entries.length : end);
}

const lengthOf = (value: unknown): number => JSON.stringify(value).length;
