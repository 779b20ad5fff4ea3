import { nameOfItem } from '../items/subject';
import { digest } from '../values';
import { maybeSentBeforeCrash, maySomeTryHaveSent, type Entry } from './entry';
import { notLookedUp } from './deliveryFailures';
import type { MarkStore } from './markStore';
import { failed } from './outcome';
import type { MaySend, Shelf, ShelfAnswer, ShelfAnswers } from './shelf';

interface MarkShelfOptions {
	readonly store: MarkStore;
	/** Names the node in the execution, the same in its retries. */
	readonly origin: string;
	/** True in a retry: it sends nothing while n8n cannot tell what was marked before. */
	readonly isRetry: boolean;
}

/**
 * The marks of an execution: which items were about to be sent when n8n died (rule 4). They stay
 * after the run, since a crash can still come in a later node.
 */
export class MarkShelf implements Shelf {
	constructor(private readonly options: MarkShelfOptions) {}

	/** Marks the items that may be sent; in a retry all, since only asking tells what was marked. */
	async claim(entries: readonly Entry[], maySend: MaySend): Promise<ShelfAnswers> {
		const { isRetry, origin, store } = this.options;
		const marks = new Map<Entry, string>();
		for (const entry of entries)
			if (entry.id && (isRetry || maySend(entry)))
				marks.set(entry, digest(`${origin} ${nameOfItem(entry.id)}`));
		if (marks.size === 0) return new Map();
		// If n8n cannot keep them, a first try sends all the same.
		const marked = await store.add([...marks.values()], !isRetry);
		const answerFor = (mark: string): ShelfAnswer => {
			if (marked?.has(mark) === true) return { earlier: maybeSentBeforeCrash() };
			// It may be of an earlier try: then it must stay.
			return !marked && isRetry ? { hold: failed(notLookedUp()) } : { claim: mark };
		};
		return new Map([...marks].map(([entry, mark]) => [entry, answerFor(mark)]));
	}

	/** Takes back the marks of items that have ended, and that no try has sent. */
	async release(entries: readonly Entry[]): Promise<void> {
		const unsent = entries.filter((entry) => entry.outcome && !maySomeTryHaveSent(entry));
		const marks = unsent.flatMap(({ claim }) => claim ?? []);
		for (const entry of unsent) delete entry.claim;
		await this.options.store.remove(marks);
	}
}
