import type { Failure } from '../../answer/failure';
import { isAccepted } from '../../book/view';
import { asSent, plansOf, type Planned, type SentItem } from '../../request/planned';
import { joinTexts } from '../../values';
import { failed, type RunResult } from '../result';
import { stopped } from '../waitFailures';
import { BookItems, type BookItemsOptions } from './bookItems';
import { describeBook, describeDoubtful, describeHeldBack } from './contactNotices';
import { bookFailure, isExclusive, OVER, phoneOf, recalledAnswer, unreadableRow } from './bookRows';
import type { ClaimRound, ContactShelf, RecalledTry } from './contactShelf';
import { USES_BOOK } from './openBook';
import * as people from './people';
import type { History } from './rules';
import { Waits } from './waits';

const BY_NODE =
	'contacts that this node has made without the contact book, and knows until n8n is restarted: before that, add a row for each to the book';

/** Remembers contacts in the contact book, which all workflows and processes share. */
export class BookContacts implements ContactShelf {
	readonly isUsed: boolean;

	readonly readsFirst = true;

	/** The items whose rows are looked up: those that are to be sent, and of a retry all whose numbers are known. */
	private readonly sought: readonly (SentItem | undefined)[];

	/** See `BookState` in `contactNotices.ts`. */
	private readonly isUnlimited: boolean;

	private readonly items: BookItems;

	/** The items that keep others of this process from the same person. */
	private readonly turnHolders = new Set<number>();

	private readonly waits = new Waits();

	private unwritten = 0;

	private isEmpty = false;

	/** True if this run has asked for the mark of a node that uses the book. */
	private isMarked = false;

	private isClosed = false;

	/** @param planned the items by place */
	constructor(
		private readonly options: BookItemsOptions & { readonly isRetry: boolean },
		planned: readonly Planned[],
	) {
		const plans = plansOf(planned);
		this.sought = options.isRetry ? planned.map(asSent) : plans;
		this.items = new BookItems(options, this.sought);
		this.isUsed = this.sought.some((item) => phoneOf(item) !== '');
		this.isUnlimited = plans.some((plan) => plan?.contact) && !plans.some(isExclusive);
	}

	get openIn(): ReadonlySet<string> {
		return this.items.openIn;
	}

	history(index: number, isOfEarlierTry: boolean): History {
		return this.items.historyOf(index, isOfEarlierTry);
	}

	earlierTry(index: number): RecalledTry | undefined {
		const { earlierTry } = this.items.answerOf(index) ?? {};
		const item = this.sought[index];
		if (item === undefined || !this.options.recallsTries) return undefined;
		return isAccepted(earlierTry) ? recalledAnswer(item, earlierTry.acceptedAs) : earlierTry;
	}

	refusal(index: number): Failure | undefined {
		const answer = this.items.answerOf(index);
		if (this.items.problem && answer?.claim !== 'granted') return this.notLookedUp();
		return answer?.problem === undefined ? undefined : unreadableRow(answer.problem);
	}

	needsClaim(index: number): boolean {
		return this.isSought(index) && this.items.answerOf(index)?.claim !== 'granted';
	}

	isPending(index: number): boolean {
		if (!this.turnHolders.has(index))
			return this.isExclusive(index) && people.isPending(this.personOf(index));
		return this.items.waitOf(index) > 0;
	}

	async waitForTurn(index: number): Promise<void> {
		if (!this.turnHolders.has(index)) await this.waits.forPerson(this.personOf(index));
		else await this.waits.forTime(this.items.waitOf(index));
	}

	endWaits(): void {
		this.waits.end();
	}

	async look(
		indexes: readonly number[],
		isOfEarlierTry: (index: number) => boolean,
	): Promise<void> {
		const sought = indexes.filter((index) => this.isSought(index));
		await this.items.askAll(sought, { isOfEarlierTry });
		// What fails has been told of the items.
		this.isEmpty = !this.isUnlimited && (await this.options.book.isEmpty().catch(() => false));
	}

	begin(indexes: readonly number[]): ClaimRound {
		const isOver = this.items.problem !== undefined || this.isClosed;
		const begun = isOver ? [] : indexes.filter((index) => this.enter(index));
		const asked = begun.length === 0 || this.isMarked ? [] : [USES_BOOK];
		this.isMarked ||= begun.length > 0;
		return {
			asked,
			finish: async (_, checks) => {
				// Some may have ended in the meantime.
				const open = begun.filter((index) => this.items.isOpen(index));
				await this.items.askAll(open, checks);
				return this.items.problem === undefined && !this.isClosed;
			},
		};
	}

	notLookedUp(): Failure {
		return bookFailure(this.items.problem ?? OVER);
	}

	revokeIfStale(index: number): boolean {
		return this.items.revokeIfStale(index);
	}

	sending(index: number): void {
		this.items.sending(index);
	}

	settle(index: number, _: RunResult, given: RunResult): void {
		this.items.settle(index, given);
		if (!this.isExclusive(index)) return;
		if (this.turnHolders.delete(index)) people.endContact(this.personOf(index));
		// If it has waited, the turn is the next one's.
		else people.wakeNext(this.personOf(index));
	}

	async close(): Promise<void> {
		this.isClosed = true;
		this.endWaits();
		await this.items.untilAsked();
		const over = failed(stopped());
		for (const index of this.items.open) this.settle(index, over, over);
		this.unwritten = await this.items.untilWritten();
	}

	describeLimits(): string {
		const { isUnlimited, isEmpty, unwritten } = this;
		const byNode = describeHeldBack(this.items.heldBackByNode.size, BY_NODE);
		const doubtful = describeDoubtful([...this.items.doubtfulOutcomes]);
		return joinTexts([describeBook({ isUnlimited, isEmpty, unwritten }), doubtful, byNode]);
	}

	/** Has the item go first of those of this process that are for the same person; false if another one does. */
	private enter(index: number): boolean {
		if (!this.isSought(index) || this.isPending(index)) return false;
		this.items.add(index);
		if (this.isExclusive(index) && !this.turnHolders.has(index)) {
			this.turnHolders.add(index);
			people.beginContact(this.personOf(index));
		}
		return true;
	}

	private isExclusive(index: number): boolean {
		return isExclusive(this.sought[index]);
	}

	private isSought(index: number): boolean {
		return phoneOf(this.sought[index]) !== '';
	}

	private personOf(index: number): string {
		const { book, mode } = this.options;
		return `${book.id} ${mode} ${phoneOf(this.sought[index])}`;
	}
}
