import type { Failure } from '../../answer/failure';
import { isAccepted } from '../../book/view';
import { asSent, plansOf, type Planned, type SentItem } from '../../request/planned';
import { waitUnlessAborted } from '../../time/wait';
import { failed, type Accepted, type RunResult } from '../result';
import { stopped } from '../waitFailures';
import { BookItems, type BookItemsOptions, type ItemChecks } from './bookItems';
import { bookFailure, OVER, phoneOf, recalledAnswer, unreadableRow } from './bookRows';
import { NO_HISTORY, type History } from './rules';

/** `possible`: an earlier try may have sent the item; `notMade`: none has reached anybody, as far as is known here. */
export type RecalledTry = Accepted | 'possible' | 'notMade';

/** The contacts of the items of a run in the contact book, which all workflows and processes share. Items are named by their indexes. */
export class BookContacts {
	/** True if an item has a number that the book can know. */
	readonly isUsed: boolean;

	/** The items whose rows are looked up: those that are to be sent, and of a retry all whose numbers are known. */
	private readonly sought: readonly (SentItem | undefined)[];

	private readonly items: BookItems;

	private unwritten = 0;

	private isClosed = false;

	/** @param planned the items by place */
	constructor(
		private readonly options: BookItemsOptions & {
			readonly isRetry: boolean;
			/** Aborted when nothing more is to start. */
			readonly signal: AbortSignal;
		},
		planned: readonly Planned[],
	) {
		this.sought = options.isRetry ? planned.map(asSent) : plansOf(planned);
		this.items = new BookItems(options, this.sought);
		this.isUsed = this.sought.some((item) => phoneOf(item) !== '');
	}

	/** The earlier executions in whose rows items are that may have been sent. */
	get openIn(): ReadonlySet<string> {
		return this.items.openIn;
	}

	/** What is known of the recipient. An earlier try of this execution, if it may have sent the item, is no contact. */
	history(index: number): History {
		return this.items.answerOf(index) ?? NO_HISTORY;
	}

	/** What is known of earlier tries of the item, which the notes may have lost. */
	earlierTry(index: number): RecalledTry | undefined {
		const { earlierTry } = this.items.answerOf(index) ?? {};
		const item = this.sought[index];
		if (item === undefined || !this.options.recallsTries) return undefined;
		return isAccepted(earlierTry) ? recalledAnswer(item, earlierTry.acceptedAs) : earlierTry;
	}

	/** Why the item cannot be sent, whatever the rules say. */
	refusal(index: number): Failure | undefined {
		const answer = this.items.answerOf(index);
		if (this.items.problem && answer?.claim !== 'granted') return this.notLookedUp();
		return answer?.problem === undefined ? undefined : unreadableRow(answer.problem);
	}

	/** True if the recipient of the item has to be claimed before the item is sent, and is not yet. */
	needsClaim(index: number): boolean {
		return this.isSought(index) && this.items.answerOf(index)?.claim !== 'granted';
	}

	/** True if another run is about to contact the person, and it is not time yet to look again. */
	isWaiting(index: number): boolean {
		return this.items.waitOf(index) > 0;
	}

	/** Resolves when it is time to look again, or the run is over. To be followed by {@link claim} or {@link settle}. */
	async waitToLook(index: number): Promise<void> {
		await waitUnlessAborted(this.items.waitOf(index), this.options.signal);
	}

	/** Looks up the recipients of items, for a run that sends nothing. */
	async look(
		indexes: readonly number[],
		isOfEarlierTry: ItemChecks['isOfEarlierTry'],
	): Promise<void> {
		const sought = indexes.filter((index) => this.isSought(index));
		await this.items.askAll(sought, { isOfEarlierTry });
	}

	/**
	 * Claims the recipients of items, except those whom the rules hold back: what the book says of them is in {@link history}
	 * then.
	 *
	 * @returns false if nothing could be looked up, or the run is over; then nothing is claimed
	 */
	async claim(indexes: readonly number[], checks: ItemChecks): Promise<boolean> {
		const isOver = this.items.problem !== undefined || this.isClosed;
		await this.items.askAll(isOver ? [] : indexes.filter((index) => this.isSought(index)), checks);
		return this.items.problem === undefined && !this.isClosed;
	}

	/** Why nothing could be looked up. */
	notLookedUp(): Failure {
		return bookFailure(this.items.problem ?? OVER);
	}

	/**
	 * Takes the grant of a claim back that is too old for the item to be sent by it. True if it did: {@link claim} has to make
	 * the claim again before the first request. Until then it stands for others.
	 */
	revokeIfStale(index: number): boolean {
		return this.items.revokeIfStale(index);
	}

	/** To be called right before each request of the item. */
	sending(index: number): void {
		this.items.sending(index);
	}

	/**
	 * To be called when the item has ended.
	 *
	 * @param given what became of it in this try
	 */
	settle(index: number, given: RunResult): void {
		this.items.settle(index, given);
	}

	/** True while what became of an item is being written. */
	isUnwritten(index: number): boolean {
		return this.items.unwritten.has(index);
	}

	/** Resolves when what became of these items is written, or could not be. */
	async settled(indexes: readonly number[]): Promise<void> {
		await Promise.all(indexes.map(async (index) => await this.items.unwritten.get(index)));
	}

	/** Gives up the claims of items that have not ended, and resolves when everything is written down. */
	async close(): Promise<void> {
		this.isClosed = true;
		await this.items.untilAsked();
		for (const index of this.items.open) this.settle(index, failed(stopped()));
		this.unwritten = await this.items.untilWritten();
	}

	/** How many rows could not be completed, in a sentence; empty if none. */
	describeUnwritten(): string {
		if (this.unwritten === 0) return '';
		const contacts = this.unwritten === 1 ? 'contact' : 'contacts';
		return `What became of ${this.unwritten} ${contacts} could not be written into the contact book. They stay there as "claimed", and count as contacts.`;
	}

	private isSought(index: number): boolean {
		return phoneOf(this.sought[index]) !== '';
	}
}
