import { createFailure, type Failure } from '../../answer/failure';
import { digest, subjectOf } from '../../request/itemKeys';
import { isRefused, type Planned } from '../../request/planned';
import { failed, mayHaveBeenSent, type ItemResult, type RunResult } from './entry';
import type { Numbered, SendNumbers } from './sendNumbers';
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
 * An item is marked by whom it reaches, or else by its request, and by its number among what the execution sends to the
 * same recipient: in a retry, the rounds of a loop may hold other items, and the node before may put out other items.
 * An item without a recipient is also marked by its place in the run and what was entered.
 */
export class CrashMemory {
	private markedUpTo = 0;

	private stretch: number | undefined;

	/** The items by place, with `undefined` for those whose recipient and request cannot be read. */
	private readonly numbered: (Numbered | undefined)[] = [];

	/** The items that this run has marked. */
	private readonly marks = new Map<number, string[]>();

	/** The items that were marked before this run. */
	private readonly begun = new Set<number>();

	/** The items of which nobody can say whether they were sent. */
	private readonly unread = new Set<number>();

	/**
	 * @param planned the items by place; a retry asks for those that are refused, too, and never marks them for good
	 * @param isRetry true for the retry of an execution: nothing is sent while n8n cannot read what was sent before
	 */
	constructor(
		private readonly store: MarkStore,
		private readonly names: MarkNames,
		private readonly planned: readonly Planned[],
		private readonly numbers: SendNumbers,
		readonly isRetry = false,
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
			!this.isRetry,
		);
		if (added === undefined && this.isRetry) {
			for (const { index: place } of items) this.unread.add(place);
			return;
		}
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

	/** The failure of an item that was sent before n8n died, or may have been; `undefined` if it is to be sent. */
	recall(index: number, plan: Planned): ItemResult | undefined {
		if (this.unread.has(index)) return failed(notLookedUp());
		if (!this.knows(index)) return undefined;
		const isSentAgain = !isRefused(plan) && plan.options.ifOutcomeUnknown === 'sendAgain';
		return isSentAgain ? undefined : failed(lostWithN8n());
	}

	/** What an earlier execution leaves in doubt of an item that is not sent now; `undefined` if nothing. */
	doubtOf(index: number): Failure | undefined {
		return this.knows(index) ? lostWithN8n() : undefined;
	}

	/** Takes back the marks and numbers of what the service certainly did nothing for. */
	async close(results: readonly RunResult[]): Promise<void> {
		this.numberItems();
		const isSent = (index: number): boolean => {
			const result = results[index];
			return result !== undefined && mayHaveBeenSent(result);
		};
		if (this.names.execution !== undefined)
			this.numbers.keep(this.numbered.flatMap((one, index) => (one && isSent(index) ? one : [])));
		const settled = [...this.marks].filter(
			([index]) => results[index] !== undefined && !isSent(index),
		);
		if (settled.length > 0) await this.store.remove(settled.flatMap(([, marks]) => marks));
	}

	/** Numbers all items in their order, those that are refused last: they take no number from one that is sent. */
	private numberItems(): void {
		if (this.numbered.length > 0) return;
		const items = this.planned.map((plan, index) => ({ plan, index }));
		for (const areRefused of [false, true]) {
			for (const { plan, index } of items) {
				if (isRefused(plan) !== areRefused) continue;
				const subject = subjectOf(plan.keys);
				this.numbered[index] =
					subject === undefined ? undefined : { subject, number: this.numbers.next(subject) };
			}
		}
	}

	/** The marks of the items of a stretch. */
	private markItems(from: number, to: number): MarkedItem[] {
		this.numberItems();
		return this.planned.slice(from, to).flatMap((plan, offset) => {
			const index = from + offset;
			const numbered = this.numbered[index];
			const isAsked = this.isRetry || !isRefused(plan);
			return isAsked ? { index, ...marksOf(this.names, plan, numbered, index) } : [];
		});
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

const notLookedUp = (): Failure =>
	createFailure({
		kind: 'stopped',
		outcome: 'notSent',
		message: 'Not sent, because n8n could not look up what was sent before this retry',
		hint: "Check n8n's database, then retry this execution. Do not execute the workflow anew: it would reach those again who were reached before.",
	});

/** An item is known in all runs of an execution; without a recipient, or where runs share no name, also in its own. */
function marksOf(
	{ own, earlier, execution }: MarkNames,
	{ keys: { recipientHash, inputHash } }: Planned,
	numbered: Numbered | undefined,
	index: number,
): Omit<MarkedItem, 'index'> {
	const count = numbered && `${numbered.subject} ${numbered.number}`;
	const inExecution =
		execution === undefined || count === undefined ? [] : [`${execution} ${count}`];
	const inRun = recipientHash === undefined ? `${index} ${inputHash}` : count;
	const runs = recipientHash === undefined || execution === undefined ? own : [];
	const names = [...runs.map((run) => `${run} ${inRun}`), ...inExecution];
	const marks = new Map(names.map((name) => [name, digest(name)]));
	return {
		marks: [...marks.values()],
		earlierMarks: [`${earlier} ${inRun}`, ...inExecution].flatMap((name) => marks.get(name) ?? []),
	};
}
