import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../../answer/failure';
import type { HeldBack } from '../../outreach/heldBack';
import { isUnsendable, type Planned } from '../../request/planned';
import { doneOrAborted } from '../../time/wait';
import { failed, failureOf, mayHaveBeenSent, type RunResult } from '../result';
import { stopped } from '../waitFailures';
import type { ContactShelf } from './contactShelf';
import { lostWithN8n, notLookedUp, type Marks } from './marks';
import type { MarkStore } from './markStore';
import { lostAnswer, type Notes } from './notes';
import type { Rules } from './rules';
import { findStretch } from './stretch';

/** What is to be done with an item that begins. */
export type Beginning =
	/** It may be sent, as long as {@link Ledger.aboutToSend} lets it. */
	| 'send'
	/** It is not to be sent: this became of it. */
	| { readonly result: RunResult }
	/** Another item is about to contact the same person. To be begun again when this resolves. */
	| { readonly waitFor: Promise<void> };

export interface LedgerOptions {
	readonly notes: Notes;
	/** Absent if the operation is safe to repeat, and for a tool: after a crash, an agent begins a new conversation. */
	readonly marks?: Marks;
	readonly contacts: ContactShelf;
	readonly rules: Rules;
	readonly store: MarkStore;
	/** True in the retry of an execution. */
	readonly isRetry: boolean;
	/** Aborted when nothing more is to start. */
	readonly signal: AbortSignal;
	/** Aborted when the execution is cancelled. */
	readonly cancel?: AbortSignal;
}

/**
 * Says of each item of a run whether it may be sent, and remembers what was: an item is claimed before it is sent, and
 * settled afterwards. It stands on three shelves:
 *
 * - the notes of the execution, which n8n saves with it and hands to its retry;
 * - the marks of the execution, which are there even if n8n dies;
 * - the contacts, which all executions of the node share, or all workflows.
 *
 * For each item {@link begin}, {@link aboutToSend} right before each of its requests, and {@link end}; then {@link close}.
 */
export class Ledger {
	private readonly results: RunResult[] = [];

	/** The items of which a request was sent in this run. */
	private readonly sent = new Set<number>();

	/** Of those that an earlier try may have sent as well: what is known of that try. */
	private readonly doubts = new Map<number, Failure>();

	/** How many items are claimed at a time. */
	private stretch: number | undefined;

	private claimedUpTo = 0;

	/** @param planned the items by place */
	constructor(
		private readonly planned: readonly Planned[],
		private readonly shelves: LedgerOptions,
	) {
		// One listener for all items: Node warns of more than ten. Until it is removed, Node keeps all that it holds.
		shelves.signal.addEventListener('abort', this.endWaits, { once: true });
	}

	/**
	 * Says what is to be done with an item, and claims it, with some of those that follow. Who was reached before comes out so,
	 * whatever stops or refuses the item now. To be called in the order of the items.
	 */
	async begin(index: number): Promise<Beginning> {
		const known = this.recall(index) ?? (await this.claimStretch(index));
		if (known !== undefined) return { result: known };
		const { contacts } = this.shelves;
		for (;;) {
			const reason = this.reasonNotToSend(index);
			if (reason !== undefined) return { result: reason };
			if (!contacts.needsClaim(index)) return 'send';
			if (contacts.isPending(index)) return { waitFor: contacts.waitForTurn(index) };
			// When the stretch was claimed, another item was about to contact the person, or a rule held this one back.
			const isClaimed = await doneOrAborted(this.claim([], [index]), this.shelves.signal);
			if (isClaimed !== true)
				return { result: this.reasonNotToSend(index) ?? failed(contacts.notLookedUp()) };
		}
	}

	/** True if the item has to begin again before its first request: it has waited so long that its claim is too old. */
	isStale(index: number): boolean {
		return !this.sent.has(index) && this.shelves.contacts.isStale(index);
	}

	/**
	 * Writes down that a request of the item is sent now. To be called right before each of them.
	 *
	 * @returns what became of the item, if it may no longer be sent: it is outside of its hours by now, or another retry of the
	 * same execution has sent it in the meantime
	 */
	aboutToSend(index: number): RunResult | undefined {
		const { contacts, marks, notes, rules } = this.shelves;
		const heldBack = rules.holdOutside(index);
		if (heldBack) return { heldBack };
		if (!this.sent.has(index)) {
			notes.refresh();
			const known = this.recall(index);
			if (known !== undefined) return known;
			const doubt = this.doubtOf(index);
			if (doubt) this.doubts.set(index, doubt);
			this.sent.add(index);
			notes.begin(index, marks?.ordinalOf(index), contacts.rowOf(index));
		}
		// Each time, so that the contact counts from the last request.
		contacts.sending(index);
		return undefined;
	}

	/** What the operation that was asked first has added before the item was first sent. */
	addedTo(index: number): IDataObject | undefined {
		return this.shelves.notes.of(index)?.added;
	}

	/** Keeps what the operation that was asked first adds, for all tries of the item. */
	keepAdded(index: number, added: IDataObject): void {
		this.shelves.notes.keepAdded(index, added);
	}

	/**
	 * Settles an item with what became of it.
	 *
	 * @returns what counts: an item that an earlier try may have sent stays unknown if it was refused or not sent now
	 */
	end(index: number, given: RunResult): RunResult {
		const isNo = !mayHaveBeenSent(given) && failureOf(given) !== undefined;
		// Once the item is sent, its note is of this try.
		const doubt = this.sent.has(index) ? this.doubts.get(index) : this.doubtOf(index);
		const result = isNo && doubt ? failed(doubt) : given;
		this.results[index] = result;
		// Also of an item that was held back between two requests, the doubt stays in the notes.
		const noted = doubt && !mayHaveBeenSent(result) ? failed(doubt) : result;
		if (this.sent.has(index)) this.shelves.notes.settle(index, noted);
		this.shelves.contacts.settle(index, result, given);
		return result;
	}

	/** Gives up what is claimed and has not ended, and takes back the marks of what was certainly not sent. */
	async close(): Promise<void> {
		const { contacts, marks, signal, store } = this.shelves;
		signal.removeEventListener('abort', this.endWaits);
		await Promise.all([contacts.close(), store.remove(marks?.close(this.results) ?? [])]);
	}

	/** Looks up whom the items would contact. To be called before {@link check}. */
	async look(): Promise<void> {
		const { contacts, signal } = this.shelves;
		if (contacts.isUsed) await doneOrAborted(contacts.look([...this.planned.keys()]), signal);
	}

	/** What would become of an item, for a credential that only checks. A refused one keeps what an earlier try has reached. */
	check(index: number, plan: Planned): RunResult {
		if (isUnsendable(plan)) return this.recall(index) ?? failed(plan.failure);
		return this.reasonNotToSend(index) ?? { checked: plan.main };
	}

	private readonly endWaits = (): void => {
		this.shelves.contacts.endWaits();
	};

	/** What is known of an item from an earlier try; `undefined` if it is to be sent, or nobody was reached. */
	private recall(index: number): RunResult | undefined {
		const plan = this.planned[index];
		const accepted = this.shelves.notes.of(index)?.accepted;
		if (accepted) return { accepted: true, ...accepted };
		const doubt = this.doubtOf(index);
		const isSentAgain =
			plan && !isUnsendable(plan) && plan.options.ifOutcomeUnknown === 'sendAgain';
		return doubt === undefined || isSentAgain === true ? undefined : failed(doubt);
	}

	/** What an earlier try leaves in doubt of an item; `undefined` if nothing, or if the operation is safe to repeat. */
	private doubtOf(index: number): Failure | undefined {
		const note = this.shelves.notes.of(index);
		if (this.planned[index]?.operation.repeatable !== false || note?.accepted) return undefined;
		if (note) return note.failure ?? lostAnswer();
		return this.shelves.marks?.knows(index) === true ? lostWithN8n() : undefined;
	}

	private reasonNotToSend(index: number): RunResult | undefined {
		const plan = this.planned[index];
		if (plan && isUnsendable(plan)) return failed(plan.failure);
		if (this.shelves.signal.aborted) return failed(stopped());
		if (this.shelves.marks?.isUnread(index) === true) return failed(notLookedUp());
		const refusal = this.shelves.contacts.refusal(index);
		if (refusal) return failed(refusal);
		const heldBack = this.holdBack(index);
		return heldBack && { heldBack };
	}

	private holdBack(index: number): HeldBack | undefined {
		const { contacts, rules } = this.shelves;
		return rules.holdBack(index, contacts.history(index, this.isOwn(index)));
	}

	/** True for an item that an earlier try of this execution may have sent: that try is no contact. */
	private isOwn(index: number): boolean {
		const { notes, marks } = this.shelves;
		return notes.of(index) !== undefined || marks?.knows(index) === true;
	}

	/** Claims the item and those that follow, all of them at once, unless that was done. What is known of the item then. */
	private async claimStretch(index: number): Promise<RunResult | undefined> {
		const { cancel, contacts, isRetry, marks, signal, store } = this.shelves;
		// A retry looks up what was sent also after a stop: who was reached comes out so.
		const stop = isRetry && marks ? cancel : signal;
		const isIdle = marks === undefined && !contacts.isUsed;
		if (index < this.claimedUpTo || stop?.aborted === true || isIdle) return undefined;
		const claiming = async (): Promise<void> => {
			this.stretch ??= await findStretch(this.planned.length, async () => await store.count());
			this.claimedUpTo = Math.min(index + this.stretch, this.planned.length);
			const places: number[] = [];
			for (let place = index; place < this.claimedUpTo; place++) places.push(place);
			const isFree = (place: number): boolean =>
				contacts.needsClaim(place) &&
				!contacts.isPending(place) &&
				!this.isOwn(place) &&
				(contacts.readsFirst || this.holdBack(place) === undefined);
			await this.claim(places, signal.aborted ? [] : places.filter(isFree));
		};
		await doneOrAborted(claiming(), stop);
		return this.recall(index);
	}

	/**
	 * @param places whose marks of the execution are claimed
	 * @param people whose contacts are claimed
	 * @returns false if a contact was not claimed because n8n cannot keep marks, or the run is over
	 */
	private async claim(places: readonly number[], people: readonly number[]): Promise<boolean> {
		const { contacts, isRetry, marks, store } = this.shelves;
		const round = contacts.begin(people);
		const items = marks?.ask(places) ?? [];
		const own = items.flatMap((item) => item.marks);
		const asked = [...own, ...round.asked];
		// In a retry, nothing is sent if that fails, so that there is nothing to make up for.
		const found = asked.length === 0 ? [] : await store.add(asked, isRetry ? [] : own);
		const before = found && new Set(found);
		marks?.learn(items, before);
		return await round.finish(before, (index) => this.isOwn(index));
	}
}
