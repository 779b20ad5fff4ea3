import { createFailure, type Failure } from '../../answer/failure';
import { digest, subjectOf } from '../../request/itemKeys';
import { isUnsendable, type Planned } from '../../request/planned';
import { mayHaveBeenSent, type RunResult } from '../result';
import type { Notes } from './notes';
import type { Numbered, SendNumbers } from './sendNumbers';

interface MarkedItem {
	readonly index: number;
	readonly marks: readonly string[];
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
	/** See {@link numbered}. */
	private givenNumbers: readonly (Numbered | undefined)[] | undefined;

	/** The marks that this run has added, by the index of the item. */
	private readonly added = new Map<number, readonly string[]>();

	/** The items that were marked before this run. */
	private readonly markedBefore = new Set<number>();

	/** The items of which n8n could not tell, in a retry, whether they were marked before. */
	private readonly markUnknown = new Set<number>();

	/**
	 * @param execution names the execution, the same in its retries
	 * @param planned the items by index
	 * @param notes of the execution
	 * @param isRetry true for the retry of an execution. Then unsendable items are looked up, too, and nothing is sent while
	 * n8n cannot tell what was marked before
	 */
	constructor(
		private readonly execution: string,
		private readonly runIndex: string,
		private readonly planned: readonly Planned[],
		private readonly notes: Pick<Notes, 'of'>,
		private readonly sendNumbers: SendNumbers,
		private readonly isRetry: boolean,
	) {}

	/** The items of these indexes, with the marks that the store is to add for them. */
	marksToAdd(indexes: readonly number[]): MarkedItem[] {
		return indexes.flatMap((index) => {
			const item = this.planned[index];
			const isAsked = item !== undefined && (this.isRetry || !isUnsendable(item));
			return isAsked ? { index, marks: this.marksOf(item, index) } : [];
		});
	}

	/**
	 * Learns which items were marked before.
	 *
	 * @param before which of the marks of {@link marksToAdd} were in the store before; `undefined` if n8n cannot tell
	 */
	learnMarkedBefore(items: readonly MarkedItem[], before: ReadonlySet<string> | undefined): void {
		for (const { index, marks } of items) {
			if (before === undefined && this.isRetry) this.markUnknown.add(index);
			else if (marks.some((mark) => before?.has(mark))) this.markedBefore.add(index);
			else this.added.set(index, marks);
		}
	}

	/** True if the item was marked before this run: it was, or may have been, sent before n8n died. */
	wasMarkedBefore(index: number): boolean {
		return this.markedBefore.has(index);
	}

	/** How often the execution sends to the same before the item. */
	ordinalOf(index: number): number | undefined {
		return this.numbered[index]?.ordinal;
	}

	/** Names the item in all tries of its execution; `undefined` if its recipient and request cannot be read. */
	nameOf(index: number): string | undefined {
		const numbered = this.numbered[index];
		return numbered && `${this.execution} ${numbered.subject} ${numbered.ordinal}`;
	}

	/** True if n8n could not tell whether the item was marked before, in a retry. */
	isMarkUnknown(index: number): boolean {
		return this.markUnknown.has(index);
	}

	/** Saves the ordinals of what was sent. Returns the marks of what was certainly not sent, for the store to remove. */
	close(results: readonly RunResult[]): string[] {
		const isSent = (index: number): boolean => {
			const result = results[index];
			return result !== undefined && mayHaveBeenSent(result);
		};
		this.sendNumbers.keep(this.numbered.flatMap((one, index) => (one && isSent(index) ? one : [])));
		return [...this.added].flatMap(([index, marks]) =>
			results[index] === undefined || isSent(index) ? [] : marks,
		);
	}

	/**
	 * The marks of an item: digests of `<execution> <recipient or request> <ordinal>`, and of an item without a recipient also
	 * of `<execution> <run> <index> <input>`.
	 */
	private marksOf({ keys: { recipientHash, inputHash } }: Planned, index: number): string[] {
		const name = this.nameOf(index);
		const atPlace = `${this.execution} ${this.runIndex} ${index} ${inputHash}`;
		const names = [
			...(name === undefined ? [] : [name]),
			...(recipientHash === undefined ? [atPlace] : []),
		];
		return names.map(digest);
	}

	/** By index, given once; `undefined` for items whose recipient and request cannot be read. */
	private get numbered(): readonly (Numbered | undefined)[] {
		return (this.givenNumbers ??= this.numberItems());
	}

	/**
	 * Gives the items their ordinals: first the items that the notes know, which keep theirs; then the others in their order,
	 * unsendable ones last, so that they take no ordinal from an item that is sent.
	 */
	private numberItems(): readonly (Numbered | undefined)[] {
		const items = [...this.planned.entries()].map(([index, item]) => {
			const subject = subjectOf(item.keys);
			const note = this.notes.of(index);
			const ordinal = note && subjectOf(note) === subject ? note.ordinal : undefined;
			const isLast = isUnsendable(item) && item.isRefusedWithRun !== true;
			const rank = ordinal === undefined ? (isLast ? 2 : 1) : 0;
			return { index, subject, ordinal, rank };
		});
		const numbered: (Numbered | undefined)[] = [];
		for (const { index, subject, ordinal } of items.sort((one, other) => one.rank - other.rank))
			numbered[index] = subject === undefined ? undefined : this.sendNumbers.take(subject, ordinal);
		return numbered;
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
