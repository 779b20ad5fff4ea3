import type { Failure } from '../../answer/failure';
import type { HeldBack } from '../../outreach/heldBack';
import { isUnsendable, predecessorsOf, type Planned } from '../../request/planned';
import { doneOrAborted } from '../../time/wait';
import { failed, failureOf, isAccepted, mayHaveBeenSent, type RunResult } from '../result';
import { stopped } from '../waitFailures';
import { EarlierTries, stillUnknown } from './earlierTries';
import type { Beginning, LedgerOptions } from './ledgerOptions';
import { notLookedUp, retryUnderWay } from './marks';
import { NO_HISTORY } from './rules';
import { Stretches } from './stretches';

/**
 * Says of each item of a run whether it may be sent, and remembers what was sent: before, an item is marked and its
 * recipient claimed; afterwards, it is settled. It remembers in three ways:
 *
 * - the notes of the execution, which n8n saves with it and hands to its retry;
 * - the marks of the execution, which are there even if n8n dies;
 * - the contact book, which all workflows share.
 *
 * For each item {@link prepare}, {@link begin}, {@link aboutToSend} right before each of its requests, and {@link end}; then {@link close}.
 */
export class Ledger {
	private readonly results: RunResult[] = [];

	/** The items of which a request was sent in this run. */
	private readonly sent = new Set<number>();

	/** Of those that an earlier try may have sent as well: what is known of that try. */
	private readonly doubts = new Map<number, Failure>();

	/** True if an earlier try may have sent an item, this one has not, and the contact book has no row that says so. */
	isRowMissing = false;

	/** Why the recipients could not be looked up, whatever else is known of the items; `undefined` if they could. */
	refusal: Failure | undefined;

	/** Why a retry sends nothing: it does not hold its execution. */
	private barred: Failure | undefined;

	private holding: Promise<void> | undefined;

	private readonly earlierTries: EarlierTries;

	private readonly stretches: Stretches;

	/** See {@link predecessorsOf}. */
	readonly predecessors: readonly (readonly number[])[];

	/** @param planned the items by index */
	constructor(
		private readonly planned: readonly Planned[],
		private readonly options: LedgerOptions,
	) {
		this.earlierTries = new EarlierTries(planned, options);
		this.predecessors = predecessorsOf(planned);
		this.stretches = new Stretches(planned, options, this.earlierTries, (index) =>
			this.hasOpenPredecessor(index),
		);
	}

	/**
	 * Marks an item and claims its recipient, with some of those that follow. To be called in the order of the items, before
	 * {@link begin}.
	 */
	async prepare(index: number): Promise<void> {
		await (this.holding ??= this.hold());
		if (this.barred) return;
		const earlierResult = this.earlierTries.resultOf(index);
		// The book may know what the notes leave in doubt.
		if (earlierResult === undefined || (this.options.contacts && !isAccepted(earlierResult)))
			await this.stretches.prepare(index);
	}

	/**
	 * Says what is to be done with an item. An item that an earlier try has sent gets the result of that try, also if it cannot
	 * be sent now or the run was stopped. Called again after `waitFor`, or if {@link revokeIfStale} says so.
	 */
	async begin(index: number): Promise<Beginning> {
		const { contacts } = this.options;
		for (;;) {
			const known = this.knownResult(index);
			if (known !== undefined) return { result: known };
			if (contacts?.needsClaim(index) !== true) return 'send';
			if (contacts.isWaiting(index)) return { waitFor: contacts.waitToLook(index) };
			// It was left out when the stretch was prepared: an earlier item had to end first, or a rule held it back.
			const isClaimed = await doneOrAborted(this.stretches.claim(index), this.options.signal);
			if (isClaimed !== true)
				return { result: this.reasonNotToSend(index) ?? failed(contacts.notLookedUp()) };
		}
	}

	/**
	 * Takes the grant of its claim from an item that has waited too long for its first request; see
	 * {@link BookContacts.revokeIfStale}. True if it did: the item has to begin again.
	 */
	revokeIfStale(index: number): boolean {
		return !this.sent.has(index) && this.options.contacts?.revokeIfStale(index) === true;
	}

	/**
	 * Writes down that a request of the item is sent now. To be called right before each of them.
	 *
	 * @returns what became of the item, if it may no longer be sent: it is outside of its hours by now, or another retry of the
	 * same execution has sent it in the meantime
	 */
	aboutToSend(index: number): RunResult | undefined {
		const { contacts, notes, rules } = this.options;
		const heldBack = rules.holdOutside(index);
		if (heldBack) return { heldBack };
		if (!this.sent.has(index)) {
			notes.refresh();
			const known = this.earlierTries.resultOf(index);
			if (known !== undefined) return known;
			const doubt = this.earlierTries.doubtOf(index);
			if (doubt) this.doubts.set(index, doubt);
			this.sent.add(index);
			notes.noteSending(index);
		}
		// Each time, so that the contact counts from the last request.
		contacts?.sending(index);
		return undefined;
	}

	/**
	 * Settles an item with what became of it.
	 *
	 * @returns what counts: an item that an earlier try may have sent stays unknown if it was refused or not sent now
	 */
	end(index: number, given: RunResult): RunResult {
		const { contacts, notes } = this.options;
		this.refusal ??= contacts?.refusal(index);
		// Once the item is sent, its note is of this try.
		const doubt = this.sent.has(index) ? this.doubts.get(index) : this.earlierTries.doubtOf(index);
		const isStillInDoubt = doubt !== undefined && !mayHaveBeenSent(given);
		const failure = failureOf(given);
		const result = isStillInDoubt && failure ? failed(stillUnknown(doubt, failure)) : given;
		this.results[index] = result;
		const isOpen = doubt && !isAccepted(result) && !this.sent.has(index);
		if (isOpen && contacts?.earlierTry(index) === undefined) this.isRowMissing = true;
		// Also of an item that is held back between two requests, which is no failure.
		if (this.sent.has(index)) notes.settle(index, isStillInDoubt ? failed(doubt) : given);
		contacts?.settle(index, given);
		return result;
	}

	/** How many items an earlier try has sent, which the service has accepted. */
	get acceptedBefore(): number {
		return this.results.filter((result, index) => isAccepted(result) && !this.sent.has(index))
			.length;
	}

	/** How many items were sent in this run although an earlier try may have sent them. */
	get sentAgain(): number {
		return this.doubts.size;
	}

	/** Gives up the claims of items that have not ended, and removes the marks of items that were certainly not sent. */
	async close(): Promise<void> {
		const { contacts, lease, marks, store } = this.options;
		const unmark = async (): Promise<void> => {
			// What was being marked when the run was stopped is known only then.
			await Promise.allSettled([this.stretches.prepared]);
			await store.remove(marks?.close(this.results) ?? []);
			await lease?.release();
		};
		await Promise.all([contacts?.close(), unmark()]);
	}

	/** Looks up whom the items would contact. To be called before {@link check}. */
	async look(): Promise<void> {
		const { contacts, signal } = this.options;
		const looking = async (): Promise<void> => {
			await contacts?.look([...this.planned.keys()], (index) =>
				this.earlierTries.isNotedOrMarked(index),
			);
		};
		if (contacts?.isUsed === true) await doneOrAborted(looking(), signal);
	}

	/** What would become of an item, for a credential that only checks. An unsendable one keeps the result of an earlier try. */
	check(index: number, item: Planned): RunResult {
		if (isUnsendable(item)) return this.earlierTries.resultOf(index) ?? failed(item.failure);
		return this.reasonNotToSend(index) ?? { checked: item.main };
	}

	/** True if an item for the same recipient comes first, and has not ended (rule 9). */
	hasOpenPredecessor(index: number): boolean {
		const isOpen = (one: number): boolean =>
			this.results[one] === undefined || this.options.contacts?.isUnwritten(one) === true;
		return this.predecessors[index]?.some(isOpen) === true;
	}

	/** Resolves when the items before it for the same recipient are written into the contact book. */
	async predecessorsSettled(index: number): Promise<void> {
		await this.options.contacts?.settled(this.predecessors[index] ?? []);
	}

	/** Takes the lease of a retry (rule 3). */
	private async hold(): Promise<void> {
		const { lease, signal } = this.options;
		if (lease === undefined || signal.aborted) return;
		const taken = await doneOrAborted(lease.take(), signal);
		if (taken === 'taken') this.barred = retryUnderWay();
		if (taken === 'unreadable') this.barred = notLookedUp();
	}

	/** What became of an item that is not to be sent; `undefined` if nothing is known against it. */
	private knownResult(index: number): RunResult | undefined {
		return this.earlierTries.resultOf(index) ?? this.reasonNotToSend(index);
	}

	private reasonNotToSend(index: number): RunResult | undefined {
		const item = this.planned[index];
		if (item && isUnsendable(item)) return failed(item.failure);
		if (this.options.signal.aborted) return failed(stopped());
		if (this.barred) return failed(this.barred);
		if (this.options.marks?.isMarkUnknown(index) === true) return failed(notLookedUp());
		const refusal = this.options.contacts?.refusal(index);
		if (refusal) return failed(refusal);
		const heldBack = this.holdBack(index);
		return heldBack && { heldBack };
	}

	private holdBack(index: number): HeldBack | undefined {
		const { contacts, rules } = this.options;
		return rules.holdBack(index, contacts?.history(index) ?? NO_HISTORY);
	}
}
