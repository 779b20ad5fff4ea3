import { isUnsendable, plansOf, type Planned } from '../../request/planned';
import { doneOrAborted } from '../../time/wait';
import type { EarlierTries } from './earlierTries';
import type { LedgerOptions } from './ledgerOptions';

/** How many items are marked at a time at least. A crash leaves those of them in doubt that were not sent yet. */
const MIN_STRETCH = 50;

/** In how many parts a long list is marked at most. */
const MAX_PARTS = 100;

/** At least one item is marked at a time for each 200 marks that n8n keeps: each write reads and writes all of them. */
const KEPT_PER_ITEM = 200;

/** For how long items are marked ahead at most, where the user has set how many are sent in a second. */
const SECONDS_AHEAD = 10;

/** Marks the items of a run and claims their recipients before they are sent, a stretch of them at a time. */
export class Stretches {
	/** How many items a stretch has. */
	private size: number | undefined;

	/** The first item of which {@link prepare} has done nothing yet. */
	private preparedUpTo = 0;

	/** Resolves when the last stretch is prepared, for which a run that was stopped has not waited. */
	prepared: Promise<void> = Promise.resolve();

	/**
	 * @param planned the items by index
	 * @param hasOpenPredecessor true for an item whose recipient is claimed later, when an earlier item has ended
	 */
	constructor(
		private readonly planned: readonly Planned[],
		private readonly options: LedgerOptions,
		private readonly earlierTries: EarlierTries,
		private readonly hasOpenPredecessor: (index: number) => boolean,
	) {}

	/** Prepares an item and a stretch of those that follow, unless that was done. */
	async prepare(index: number): Promise<void> {
		const { cancel, contacts, isRetry, marks, notes, signal, store } = this.options;
		// A retry looks up what was sent also after the run was stopped, so that it reports who was reached.
		const stop = isRetry && marks ? cancel : signal;
		const preparesNothing = marks === undefined && contacts?.isUsed !== true;
		if (index < this.preparedUpTo || stop?.aborted === true || preparesNothing) return;
		const preparing = async (): Promise<void> => {
			this.size ??= await findStretch(this.planned, isRetry, async () => await store.count());
			this.preparedUpTo = Math.min(index + this.size, this.planned.length);
			const indexes: number[] = [];
			for (let next = index; next < this.preparedUpTo; next++) indexes.push(next);
			await this.mark(indexes);
			const isClaimed = (one: number): boolean =>
				contacts?.needsClaim(one) === true &&
				!this.hasOpenPredecessor(one) &&
				notes.of(one)?.accepted === undefined;
			await this.claimAll(indexes.filter(isClaimed));
		};
		this.prepared = preparing();
		await doneOrAborted(this.prepared, stop);
	}

	/** Claims the recipient of an item that was left out when its stretch was prepared; false if that failed, or the run is over. */
	async claim(index: number): Promise<boolean> {
		return await this.claimAll([index]);
	}

	private async claimAll(indexes: readonly number[]): Promise<boolean> {
		const { contacts, signal } = this.options;
		if (contacts === undefined) return true;
		return await contacts.claim(indexes, {
			isOfEarlierTry: (index) => this.earlierTries.isNotedOrMarked(index),
			mayBeSent: (index) => !signal.aborted && this.mayBeSent(index),
		});
	}

	/** Marks items for this execution. A retry that was stopped only looks their marks up. */
	private async mark(indexes: readonly number[]): Promise<void> {
		const { isRetry, marks, store } = this.options;
		const items = marks?.marksToAdd(indexes) ?? [];
		const asked = items.map(({ mark }) => mark);
		if (asked.length === 0) return;
		// If that fails, a first try sends all the same, and its marks are added later. A retry then sends nothing.
		const found = await store.add(asked, isRetry ? [] : asked);
		marks?.learnMarkedBefore(items, found && new Set(found));
	}

	private mayBeSent(index: number): boolean {
		const item = this.planned[index];
		if (item === undefined || isUnsendable(item)) return false;
		return this.earlierTries.resultOf(index) === undefined;
	}
}

/**
 * How many items of a run are marked at a time: 50, a hundredth of the run, or a 200th of the marks,
 * whichever is most; but no more than are sent in ten seconds, unless it is a retry.
 *
 * @param planned the items of the run
 * @param isRetry true for a retry, which looks up what was sent before the rate matters
 * @param count how many marks n8n keeps of the node
 */
async function findStretch(
	planned: readonly Planned[],
	isRetry: boolean,
	count: () => Promise<number>,
): Promise<number> {
	const items = planned.length;
	const { requestsPerSecond = 0 } = plansOf(planned).find(Boolean)?.options ?? {};
	const isPaced = requestsPerSecond > 0 && !isRetry;
	const most = isPaced ? Math.ceil(SECONDS_AHEAD * requestsPerSecond) : Infinity;
	if (Math.min(items, most) <= MIN_STRETCH) return Math.min(most, MIN_STRETCH);
	const kept = await count();
	const parts = [Math.ceil(items / MAX_PARTS), Math.ceil(kept / KEPT_PER_ITEM)];
	return Math.min(most, Math.max(MIN_STRETCH, ...parts));
}
