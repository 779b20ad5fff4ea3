import type { IDataObject } from 'n8n-workflow';

import type { ItemId } from '../items/subject';
import { isObject, toPlainText } from '../values';

const STORE_KEY = 'sendNumbers';

/** How many characters of its digest identify a subject within an execution. */
const KEY_LENGTH = 10;

/**
 * The numbers of what a node has sent in the earlier runs of an execution, e.g. rounds of a loop
 * (rule 5). For example, an execution has called Ada twice: in a retry, the first two calls to her
 * have the numbers 0 and 1 again, in whichever runs they come. Each takes about 12 bytes.
 */
export class Rounds {
	/** The short names of what earlier runs have sent, as they are saved, with commas. */
	private readonly earlier: string;

	/** The same, each by itself. */
	private readonly names: ReadonlySet<string>;

	/**
	 * @param store n8n's context of the node
	 * @param runIndex the index of this run; if n8n runs it again, its numbers are free
	 */
	constructor(
		private readonly store: IDataObject,
		private readonly runIndex: string,
	) {
		const saved = store[STORE_KEY];
		const { run: lastRun, earlier, latest } = isObject(saved) ? saved : {};
		this.earlier = toPlainText(earlier) + (lastRun === runIndex ? '' : toPlainText(latest));
		this.names = new Set(this.earlier.split(','));
	}

	/** Says whether what an earlier run has sent has the number. */
	readonly isTaken = (id: ItemId): boolean => this.names.has(shortName(id));

	/** Saves what this run has sent, or may have sent, at its end. */
	keep(sent: readonly ItemId[]): void {
		const latest = sent.map((id) => `${shortName(id)},`).join('');
		this.store[STORE_KEY] = { run: this.runIndex, earlier: this.earlier, latest };
	}
}

const shortName = ({ subject, nth }: ItemId): string => subject.slice(0, KEY_LENGTH) + String(nth);
