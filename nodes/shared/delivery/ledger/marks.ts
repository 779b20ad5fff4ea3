import { createFailure, type Failure } from '../../answer/failure';
import { isUnsendable, type Planned } from '../../request/planned';
import { nameOfItem } from '../../request/subject';
import { digest } from '../../values';
import { mayHaveBeenSent, type RunResult } from '../result';
import type { Count } from './count';
import type { Notes } from './notes';

interface MarkedItem {
	readonly index: number;
	readonly mark: string;
}

/**
 * The marks of an execution: which items were about to be sent when n8n itself died. n8n saves the notes of an execution
 * only when it ends; if its process is killed before, a retry starts without them.
 *
 * Each item has one mark, of its execution, its subject and its number, and is marked before it is sent. Marks of what the
 * service certainly did nothing for are taken back at the end of the run. The others stay, since a crash can still come in a
 * later node.
 */
export class Marks {
	/** The marks that this run has added, by the index of the item. */
	private readonly added = new Map<number, string>();

	/** The items that were marked before this run. */
	private readonly markedBefore = new Set<number>();

	/** The items of which n8n could not tell, in a retry, whether they were marked before. */
	private readonly markUnknown = new Set<number>();

	/**
	 * @param execution names the execution, the same in its retries
	 * @param planned the items by index
	 * @param notes of the execution
	 * @param count keeps what was sent
	 * @param isRetry true for the retry of an execution. Then unsendable items are looked up, too, and nothing is sent while
	 * n8n cannot tell what was marked before
	 */
	constructor(
		private readonly execution: string,
		private readonly planned: readonly Planned[],
		private readonly notes: Pick<Notes, 'idOf'>,
		private readonly count: Count,
		private readonly isRetry: boolean,
	) {}

	/** The items of these indexes, with the marks that the store is to add for them. */
	marksToAdd(indexes: readonly number[]): MarkedItem[] {
		return indexes.flatMap((index) => {
			const item = this.planned[index];
			const id = this.notes.idOf(index);
			const isAsked = item !== undefined && (this.isRetry || !isUnsendable(item));
			if (!isAsked || id === undefined) return [];
			return { index, mark: digest(`${this.execution} ${nameOfItem(id)}`) };
		});
	}

	/**
	 * Learns which items were marked before.
	 *
	 * @param before which of the marks of {@link marksToAdd} were in the store before; `undefined` if n8n cannot tell
	 */
	learnMarkedBefore(items: readonly MarkedItem[], before: ReadonlySet<string> | undefined): void {
		for (const { index, mark } of items) {
			if (before === undefined && this.isRetry) this.markUnknown.add(index);
			else if (before?.has(mark) === true) this.markedBefore.add(index);
			else this.added.set(index, mark);
		}
	}

	/** True if the item was marked before this run: it was, or may have been, sent before n8n died. */
	wasMarkedBefore(index: number): boolean {
		return this.markedBefore.has(index);
	}

	/** True if n8n could not tell whether the item was marked before, in a retry. */
	isMarkUnknown(index: number): boolean {
		return this.markUnknown.has(index);
	}

	/** Saves the numbers of what was sent. Returns the marks of what was certainly not sent, for the store to remove. */
	close(results: readonly RunResult[]): string[] {
		const isSent = (index: number): boolean => {
			const result = results[index];
			return result !== undefined && mayHaveBeenSent(result);
		};
		this.count.keep(
			[...this.planned.keys()].flatMap((index) =>
				isSent(index) ? (this.notes.idOf(index) ?? []) : [],
			),
		);
		return [...this.added].flatMap(([index, mark]) =>
			results[index] === undefined || isSent(index) ? [] : mark,
		);
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

/** The failure of all items of a retry beside another one. */
export const retryUnderWay = (): Failure =>
	createFailure({
		kind: 'stopped',
		outcome: 'notSent',
		message: 'Not sent, because another retry of this execution is under way',
		hint: 'Wait for its end, then retry this execution. If n8n has just been restarted, wait ten minutes.',
	});
