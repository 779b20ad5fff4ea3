import { createFailure, type Failure } from '../../answer/failure';
import { digest, subjectOf } from '../../request/itemKeys';
import type { ItemPlan } from '../../request/request';
import type { EarlierRuns } from './earlierRuns';
import { failed, mayHaveBeenSent, type ItemResult, type RunResult } from './entry';
import { findStretch } from './stretch';

/** Marks that n8n keeps from the moment they are made, whatever becomes of the execution. */
export interface MarkStore {
	/**
	 * Adds marks, and returns those that were there before; `undefined` if n8n could not keep them.
	 *
	 * @param isMadeUpFor true if they are written later then
	 */
	add(marks: readonly string[], isMadeUpFor?: boolean): Promise<readonly string[] | undefined>;
	remove(marks: readonly string[]): Promise<void>;
	/** How many there are, of all runs. */
	count(): Promise<number>;
}

/** Under which names a run makes its marks, and under which of them those of an earlier try are. */
export interface MarkNames {
	readonly own: readonly string[];
	readonly earlier: string;
	/** A name that all runs of an execution share, and their retries; only where n8n gives a retry token. */
	readonly execution?: string;
}

/** An item as it is named among those of its run, and among those of all runs. */
interface NamedItem {
	readonly inRun: string;
	readonly inExecution: string;
}

interface MarkedItem {
	readonly index: number;
	readonly marks: readonly string[];
	/** One of these was there before: an earlier execution has begun the item. */
	readonly earlierMarks: readonly string[];
}

/**
 * Remembers which items were about to be sent when n8n itself died. n8n saves the memory of an execution
 * (`executionMemory.ts`) only when the execution ends; if its process is killed before, a retry starts without one.
 *
 * Items are marked before they are sent. Of those that the service certainly did nothing for, the mark is
 * taken back; of the others it stays, since a crash can still come in a later node.
 *
 * An item is marked by whom it reaches and how many before it in the run reach the same, or else by its place and
 * what was entered. It is also marked by how many before it in all runs reach the same, or else have the same request:
 * in a retry, the rounds of a loop may hold other items, and the node before may put out other items.
 */
export class CrashMemory {
	private markedUpTo = 0;

	private namedUpTo = 0;

	private stretch: number | undefined;

	/** How many items of the run reach the same recipient, or else have the same request, so far. */
	private readonly perSubject = new Map<string, number>();

	/** The items that this run has marked. */
	private readonly marks = new Map<number, string[]>();

	/** The items that were marked before this run. */
	private readonly begun = new Set<number>();

	/** @param planned the items, with `undefined` for those that are not to be sent */
	constructor(
		private readonly store: MarkStore,
		private readonly names: MarkNames,
		private readonly planned: readonly (ItemPlan | undefined)[],
		private readonly earlierRuns: EarlierRuns,
	) {}

	/** True if the item has to be marked before it is sent, and is not yet. */
	needsMark(index: number): boolean {
		return index >= this.markedUpTo;
	}

	/** Marks the item and some that follow, unless that was done before. To be called in the order of the items. */
	async mark(index: number): Promise<void> {
		if (!this.needsMark(index)) return;
		this.stretch ??= await findStretch(this.planned.length, async () => await this.store.count());
		this.markedUpTo = index + this.stretch;
		const items = this.markItems(index, this.markedUpTo);
		const added = await this.store.add(
			items.flatMap(({ marks }) => marks),
			true,
		);
		const before = new Set(added);
		for (const { index: place, marks, earlierMarks } of items) {
			if (earlierMarks.some((mark) => before.has(mark))) this.begun.add(place);
			else
				this.marks.set(
					place,
					marks.filter((mark) => !before.has(mark)),
				);
		}
	}

	/** True if the item may have been sent before n8n died. */
	knows(index: number): boolean {
		return this.begun.has(index);
	}

	/** The failure of an item that may have been sent before n8n died; `undefined` if it is to be sent. */
	recall(index: number, { options }: ItemPlan): ItemResult | undefined {
		const mayBeSent = !this.knows(index) || options.ifOutcomeUnknown === 'sendAgain';
		return mayBeSent ? undefined : failed(lostWithN8n());
	}

	/** Takes back the marks of what the service certainly did nothing for. */
	async close(results: readonly RunResult[]): Promise<void> {
		const settled = [...this.marks].filter(([index]) => {
			const result = results[index];
			return result !== undefined && !mayHaveBeenSent(result);
		});
		if (settled.length > 0) await this.store.remove(settled.flatMap(([, marks]) => marks));
	}

	/** The marks of the items of a stretch. All items are counted, in their order. */
	private markItems(from: number, to: number): MarkedItem[] {
		const items: MarkedItem[] = [];
		for (; this.namedUpTo < Math.min(to, this.planned.length); this.namedUpTo++) {
			const index = this.namedUpTo;
			const plan = this.planned[index];
			if (plan === undefined) continue;
			const item = this.nameItem(index, plan);
			if (index >= from) items.push({ index, ...marksOf(this.names, item) });
		}
		return items;
	}

	private nameItem(index: number, { keys }: ItemPlan): NamedItem {
		const subject = subjectOf(keys);
		const count = this.perSubject.get(subject) ?? 0;
		this.perSubject.set(subject, count + 1);
		return {
			inRun:
				keys.recipientHash === undefined ? `${index} ${keys.inputHash}` : `${subject} ${count}`,
			inExecution: `${subject} ${this.earlierRuns.count(subject) + count}`,
		};
	}
}

/** The failure of an item that was marked, and of which n8n has saved nothing more. */
const lostWithN8n = (): Failure =>
	createFailure({
		kind: 'unreachable',
		outcome: 'unknown',
		message: 'n8n ended while this item was sent, or shortly before',
		hint: '',
	});

/** In the first run of an execution, both names of an item with a recipient are the same: it has one mark. */
function marksOf(
	{ own, earlier, execution }: MarkNames,
	{ inRun, inExecution }: NamedItem,
): Omit<MarkedItem, 'index'> {
	const inAllRuns = execution === undefined ? [] : [`${execution} ${inExecution}`];
	const names = new Set([...own.map((name) => `${name} ${inRun}`), ...inAllRuns]);
	const marks = new Map([...names].map((name) => [name, digest(name)]));
	return {
		marks: [...marks.values()],
		earlierMarks: [`${earlier} ${inRun}`, ...inAllRuns].flatMap((name) => marks.get(name) ?? []),
	};
}
