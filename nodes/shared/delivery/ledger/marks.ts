import { createFailure, type Failure } from '../../answer/failure';
import { digest, subjectOf } from '../../request/itemKeys';
import { isUnsendable, type Planned } from '../../request/planned';
import { mayHaveBeenSent, type RunResult } from '../result';
import type { Notes } from './notes';
import type { Numbered, SendNumbers } from './sendNumbers';

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
	/** If one of these was there before, an earlier execution has begun the item. */
	readonly earlierMarks: readonly string[];
}

/**
 * The marks of an execution: which items were about to be sent when n8n itself died. n8n saves the notes of an execution
 * only when it ends; if its process is killed before, a retry starts without them.
 *
 * An item is marked before it is sent, by whom it reaches, or else by its request, and by its ordinal among what the
 * execution sends to the same: in a retry, the rounds of a loop may hold other items, and the node before may put out
 * other ones. An item without a recipient is also marked by its place in the run and what was entered.
 *
 * Marks of what the service certainly did nothing for are taken back at the end of the run. The others stay, since a crash
 * can still come in a later node.
 */
export class Marks {
	/** The items by place, with `undefined` for those whose recipient and request cannot be read. */
	private readonly numbered: (Numbered | undefined)[] = [];

	/** What this run has marked, by the place of the item. */
	private readonly added = new Map<number, readonly string[]>();

	/** The items that were marked before this run. */
	private readonly begun = new Set<number>();

	/** The items of which nobody can say whether they were sent. */
	private readonly unread = new Set<number>();

	/**
	 * @param planned the items by place
	 * @param notes of the execution
	 * @param isRetry true for the retry of an execution. It asks for items that are refused, too, and nothing is sent in it while
	 * n8n cannot read what was sent before
	 */
	constructor(
		private readonly names: MarkNames,
		private readonly planned: readonly Planned[],
		private readonly notes: Pick<Notes, 'of'>,
		private readonly numbers: SendNumbers,
		private readonly isRetry: boolean,
	) {}

	/** The items at these places with the marks that the store is to add. */
	ask(places: readonly number[]): MarkedItem[] {
		if (this.numbered.length === 0) this.numberItems();
		return places.flatMap((index) => {
			const plan = this.planned[index];
			const isAsked = plan !== undefined && (this.isRetry || !isUnsendable(plan));
			return isAsked
				? { index, ...marksOfItem(this.names, plan, this.numbered[index], index) }
				: [];
		});
	}

	/** @param before which of the marks were there before; `undefined` if n8n cannot tell */
	learn(items: readonly MarkedItem[], before: ReadonlySet<string> | undefined): void {
		for (const { index, marks, earlierMarks } of items) {
			if (before === undefined && this.isRetry) this.unread.add(index);
			else if (earlierMarks.some((mark) => before?.has(mark))) this.begun.add(index);
			else
				this.added.set(
					index,
					marks.filter((mark) => before?.has(mark) !== true),
				);
		}
	}

	/** True if the item was, or may have been, sent before n8n died. */
	knows(index: number): boolean {
		return this.begun.has(index);
	}

	/** How often the execution sends to the same before the item. */
	ordinalOf(index: number): number | undefined {
		return this.numbered[index]?.ordinal;
	}

	/** True if nobody can say whether the item was sent before. */
	isUnread(index: number): boolean {
		return this.unread.has(index);
	}

	/** Saves what was sent with the execution. The marks that stand for nothing, for the store to remove. */
	close(results: readonly RunResult[]): string[] {
		if (this.numbered.length === 0) this.numberItems();
		const isSent = (index: number): boolean => {
			const result = results[index];
			return result !== undefined && mayHaveBeenSent(result);
		};
		if (this.names.execution !== undefined)
			this.numbers.keep(this.numbered.flatMap((one, index) => (one && isSent(index) ? one : [])));
		return [...this.added].flatMap(([index, marks]) =>
			results[index] === undefined || isSent(index) ? [] : marks,
		);
	}

	/**
	 * What is noted keeps its ordinal, wherever it stands now. The others are numbered in their order, those that are refused
	 * last: they take no ordinal from one that is sent.
	 */
	private numberItems(): void {
		const items = [...this.planned.entries()].map(([index, plan]) => {
			const subject = subjectOf(plan.keys);
			const note = this.notes.of(index);
			const ordinal = note && subjectOf(note) === subject ? note.ordinal : undefined;
			const turn = ordinal === undefined ? (isUnsendable(plan) ? 2 : 1) : 0;
			return { index, subject, ordinal, turn };
		});
		for (const { index, subject, ordinal } of items.sort((one, other) => one.turn - other.turn))
			this.numbered[index] =
				subject === undefined ? undefined : this.numbers.take(subject, ordinal);
	}
}

/** The failure of an item that was marked, and of which n8n has saved nothing more. */
export const lostWithN8n = (): Failure =>
	createFailure({
		kind: 'unreachable',
		outcome: 'unknown',
		message: 'n8n ended while this item was sent, or shortly before',
		hint: '',
	});

export const notLookedUp = (): Failure =>
	createFailure({
		kind: 'stopped',
		outcome: 'notSent',
		message: 'Not sent, because n8n could not look up what was sent before this retry',
		hint: "Check n8n's database, then retry this execution. Do not execute the workflow anew: it would reach those again who were reached before.",
	});

/** An item is known in all runs of an execution; without a recipient, or where runs share no name, also in its own. */
function marksOfItem(
	{ own, earlier, execution }: MarkNames,
	{ keys: { recipientHash, inputHash } }: Planned,
	numbered: Numbered | undefined,
	index: number,
): Omit<MarkedItem, 'index'> {
	const count = numbered && `${numbered.subject} ${numbered.ordinal}`;
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
