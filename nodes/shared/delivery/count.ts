import type { IDataObject } from 'n8n-workflow';

import { isSendable, type Item } from '../items/item';
import type { ItemId } from '../items/subject';
import { isObject, toPlainText } from '../values';

const STORE_KEY = 'sendNumbers';

/** How many characters of its digest identify a subject within an execution. */
const KEY_LENGTH = 10;

/**
 * Counts what an execution sends to each subject, over all runs of a node: 0, 1 and so on (rule 5).
 * The number of an item that was certainly not sent is free again at the end of its run; a later
 * run takes the lowest free one. For example, an execution has called Ada twice: in a retry, the
 * first two calls to her have the numbers 0 and 1 again, in whichever runs they come.
 *
 * The numbers live in n8n's context of the node: they outlive a Wait node, and n8n hands them to a
 * retry that goes on where the execution ended. Each item sent takes about 12 bytes.
 */
export class Count {
	/** The short names of what earlier runs have sent, as they are saved, with commas. */
	private readonly earlier: string;

	/** The same, each by itself. */
	private readonly ofEarlierRuns: ReadonlySet<string>;

	/** The short names of what earlier runs and this one have. */
	private readonly taken: Set<string>;

	/** The lowest number of a subject that may be free. */
	private readonly next = new Map<string, number>();

	/**
	 * @param store n8n's context of the node
	 * @param runIndex the index of this run; if n8n runs it again, its numbers are given anew
	 */
	constructor(
		private readonly store: IDataObject,
		private readonly runIndex: string,
	) {
		const saved = store[STORE_KEY];
		const { run: lastRun, earlier, latest } = isObject(saved) ? saved : {};
		this.earlier = toPlainText(earlier) + (lastRun === runIndex ? '' : toPlainText(latest));
		this.ofEarlierRuns = new Set(this.earlier.split(','));
		this.taken = new Set(this.ofEarlierRuns);
	}

	/**
	 * Gives the items of a run their numbers, in order; `undefined` where a subject cannot be read.
	 * Items with a fault of their own come last, so that others' numbers do not depend on them.
	 */
	number(items: readonly Item[]): (ItemId | undefined)[] {
		const ids = new Map<Item, ItemId>();
		const isLast = (item: Item): boolean => !isSendable(item) && !item.isRefusedWithRun;
		for (const item of [...items.filter((one) => !isLast(one)), ...items.filter(isLast)])
			if (item.subject !== undefined) ids.set(item, this.take(item.subject));
		return items.map((item) => ids.get(item));
	}

	/** Says whether what an earlier run has sent has the number. */
	isTaken(id: ItemId): boolean {
		return this.ofEarlierRuns.has(shortName(id));
	}

	/** Saves what may have been sent, at the end of the run. Its other numbers are free again. */
	keep(sent: readonly ItemId[]): void {
		const latest = sent.map((id) => `${shortName(id)},`).join('');
		this.store[STORE_KEY] = { run: this.runIndex, earlier: this.earlier, latest };
	}

	/** Gives the next item of a subject its number, the lowest that is free. */
	private take(subject: string): ItemId {
		let nth = this.next.get(subject) ?? 0;
		while (this.taken.has(shortName({ subject, nth }))) nth++;
		this.next.set(subject, nth + 1);
		this.taken.add(shortName({ subject, nth }));
		return { subject, nth };
	}
}

const shortName = ({ subject, nth }: ItemId): string => subject.slice(0, KEY_LENGTH) + String(nth);
