/** A text in which one character stands for two others, which may do so in turn. */
export interface Packed {
	/** Of each such character itself and the two others; the last one is to be replaced first. */
	readonly pairs: string;
	readonly text: string;
}

export const unpack = ({ pairs, text }: Packed): string =>
	(pairs.match(/.../g) ?? []).reduceRight(
		(unpacked, [symbol = '', ...pair]) => unpacked.split(symbol).join(pair.join('')),
		text,
	);

/** A tree over the digits of numbers. */
export interface DigitTree {
	/** What is known of the number that ends here, or of those that begin so; empty for nothing. */
	readonly label: string;
	/** By digit. */
	readonly next: (DigitTree | undefined)[];
}

/** Part of a tree's text: digits that lead to a node, and the node or its name; or a node's end. */
const TOKEN = /([\d-]{0,10})(?:([([])([a-z]*)|([A-Z]+))|\)/g;

/**
 * Reads a tree: `(label1-35(…)7A)` is a node with branches for 1, 2, 3 and 5 and for 7. What begins
 * with `[` has a name, which is its number among these: `A`, `B`, … `Z`, `BA`.
 */
export function readTree(text: string): DigitTree {
	const named: DigitTree[] = [];
	const path: DigitTree[] = [];
	let root: DigitTree = { label: '', next: [] };
	for (const [, digits, opening, label = '', name] of text.matchAll(TOKEN)) {
		if (digits === undefined) {
			path.pop();
			continue;
		}
		const node = name === undefined ? { label, next: [] } : named[numberOf(name)];
		const parent = path.at(-1);
		if (parent === undefined) root = node ?? root;
		else for (const digit of digitsIn(digits)) parent.next[digit] = node;
		if (node === undefined || opening === undefined) continue;
		path.push(node);
		if (opening === '[') named.push(node);
	}
	return root;
}

/** `1-35` are 1, 2, 3 and 5. */
const digitsIn = (text: string): number[] =>
	Array.from(text.replaceAll(/(\d)-(\d)/g, span), Number);

const span = (_: string, from: string, to: string): string =>
	'0123456789'.slice(Number(from), Number(to) + 1);

const LETTER_A = 0x41;

/** Gives the number that letters stand for: `A` is 0, `Z` 25, `BA` 26. */
export const numberOf = (name: string): number =>
	Array.from(name).reduce((number, letter) => number * 26 + letter.charCodeAt(0) - LETTER_A, 0);

/** Finds the nodes on the way of these digits, from the root to where no digit leads on. */
export function nodesOnTheWay(tree: DigitTree, digits: string): DigitTree[] {
	const nodes = [tree];
	for (const digit of digits) {
		const next = nodes.at(-1)?.next[Number(digit)];
		if (next === undefined) break;
		nodes.push(next);
	}
	return nodes;
}
