import { after, DIGITS, holdsEnd, NOTHING } from './expression';
import type { NumberPlan } from './metadata';

/** A node of a tree over the digits of numbers; equal nodes are the same object. */
export interface Node {
	readonly label: string;
	/** By digit. */
	readonly next: readonly (Node | undefined)[];
}

/** Makes nodes, each of which there is once. */
function createNodes(): (label: string, next: readonly (Node | undefined)[]) => Node | undefined {
	const known = new Map<string, Node>();
	const ids = new Map<Node | undefined, number>([[undefined, 0]]);
	return (label, next) => {
		if (label === '' && next.every((one) => one === undefined)) return undefined;
		const key = `${label} ${next.map((one) => ids.get(one)).join(' ')}`;
		const node = known.get(key) ?? { label, next };
		known.set(key, node);
		if (!ids.has(node)) ids.set(node, ids.size);
		return node;
	};
}

const eachDigit = <T>(make: (digit: string) => T): T[] => DIGITS.map(make);

/**
 * The tree of all numbers that there are: where a number ends, the label is `a` if it has the zones of its area, or `c` if
 * it has those of its country.
 */
export function treeOfNumbers(plans: readonly NumberPlan[]): Node | undefined {
	const make = createNodes();
	const known = new Map<string, Node | undefined>();
	const ofNational = ({ ofArea, ofCountry }: Omit<NumberPlan, 'callingCode'>): Node | undefined => {
		if (ofArea === NOTHING && ofCountry === NOTHING) return undefined;
		const key = `${ofArea.id} ${ofCountry.id}`;
		if (known.has(key)) return known.get(key);
		const label = holdsEnd(ofArea) ? 'a' : holdsEnd(ofCountry) ? 'c' : '';
		const node = make(
			label,
			eachDigit((digit) =>
				ofNational({ ofArea: after(ofArea, digit), ofCountry: after(ofCountry, digit) }),
			),
		);
		known.set(key, node);
		return node;
	};
	const ofCode = (code: string): Node | undefined => {
		const plan = plans.find(({ callingCode }) => callingCode === code);
		if (plan !== undefined) return ofNational(plan);
		if (!plans.some(({ callingCode }) => callingCode.startsWith(code))) return undefined;
		return make(
			'',
			eachDigit((digit) => ofCode(code + digit)),
		);
	};
	return ofCode('');
}

/** The tree of labels by prefix. A label that is that of the longest shorter prefix, too, is left out. */
export function treeOfPrefixes(labels: ReadonlyMap<string, string>): Node | undefined {
	const make = createNodes();
	const begun = new Set([...labels.keys()].flatMap((prefix) => beginnings(prefix)));
	const of = (prefix: string, inherited: string): Node | undefined => {
		if (!begun.has(prefix)) return undefined;
		const label = labels.get(prefix) ?? inherited;
		return make(
			label === inherited ? '' : label,
			eachDigit((digit) => of(prefix + digit, label)),
		);
	};
	return of('', '');
}

const beginnings = (prefix: string): string[] =>
	Array.from({ length: prefix.length + 1 }, (_, length) => prefix.slice(0, length));

/**
 * Writes a tree as text. A node is `(`, its label, its branches and `)`; a branch is the digits that lead to a node, such
 * as `1-35`, and the node. What several branches lead to begins with `[` where it comes first; the others have its name,
 * which is its number among these: `A`, `B`, … `AA`.
 */
export function writeTree(root: Node | undefined): string {
	if (root === undefined) return '';
	const uses = new Map<Node, number>();
	const count = (node: Node): void => {
		const times = uses.get(node) ?? 0;
		uses.set(node, times + 1);
		if (times === 0) for (const next of new Set(node.next)) if (next) count(next);
	};
	count(root);
	const names = new Map<Node, string>();
	let shared = 0;
	const write = (node: Node): string => {
		const name = names.get(node);
		if (name !== undefined) return name;
		const isShared = (uses.get(node) ?? 0) > 1;
		const number = isShared ? shared++ : 0;
		const branches = [...new Set(node.next)].flatMap((next) =>
			next ? [digitsTo(node, next) + write(next)] : [],
		);
		if (isShared) names.set(node, nameOf(number));
		return `${isShared ? '[' : '('}${node.label}${branches.join('')})`;
	};
	return write(root);
}

/** `1-35` */
function digitsTo(node: Node, next: Node): string {
	const isBranch = (digit: number): boolean => node.next[digit] === next;
	const digits = DIGITS.map(Number).filter(isBranch);
	// What stands between two others is left out, and one hyphen stands for it.
	const isWithin = (digit: number): boolean => isBranch(digit - 1) && isBranch(digit + 1);
	return digits
		.map((digit) => (isWithin(digit) ? '-' : digit))
		.join('')
		.replaceAll(/-+/g, '-');
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The name of the node with this number: `A`, `B`, …, `Z`, `BA`, … */
function nameOf(number: number): string {
	const rest = Math.floor(number / LETTERS.length);
	return (rest > 0 ? nameOf(rest) : '') + (LETTERS[number % LETTERS.length] ?? '');
}
