import type { Failure } from '../../answer/failure';
import { isAccepted } from '../../book/view';
import { plansOf, type Planned } from '../../request/planned';
import type { Contact, ItemPlan } from '../../request/request';
import { joinTexts } from '../../values';
import { failed, type RunResult } from '../result';
import { stopped } from '../waitFailures';
import { BookItems, type BookItemsOptions } from './bookItems';
import { describeBook, describeDoubtful, describeHeldBack } from './contactNotices';
import { bookFailure, isExclusive, OVER, phoneOf, recalledAnswer, unreadableRow } from './bookRows';
import type { ClaimRound, ContactShelf, RecalledTry } from './contactShelf';
import * as people from './people';
import type { History } from './rules';
import { Waits } from './waits';

const BY_NODE =
	'contacts that this node has made without the contact book, and knows until n8n is restarted: before that, add a row for each to the book';

/** Remembers contacts in the contact book, which all workflows and processes share. */
export class BookContacts implements ContactShelf {
	readonly isUsed: boolean;

	readonly readsFirst = true;

	private readonly plans: readonly (ItemPlan | undefined)[];

	private readonly items: BookItems;

	/** The items that keep others of this process from the same person. */
	private readonly turnHolders = new Set<number>();

	private readonly waits = new Waits();

	private unwritten = 0;

	private isEmpty = false;

	private isClosed = false;

	/** @param planned the items by place */
	constructor(
		private readonly options: BookItemsOptions,
		planned: readonly Planned[],
	) {
		this.plans = plansOf(planned);
		this.items = new BookItems(options, this.plans);
		this.isUsed = this.plans.some((plan) => plan?.contact !== undefined);
	}

	history(index: number, isOfEarlierTry: boolean): History {
		return this.items.historyOf(index, isOfEarlierTry);
	}

	earlierTry(index: number): RecalledTry | undefined {
		const { earlierTry } = this.items.answerOf(index) ?? {};
		const plan = this.plans[index];
		if (plan === undefined || !this.options.recallsTries) return undefined;
		return isAccepted(earlierTry) ? recalledAnswer(plan, earlierTry.acceptedAs) : earlierTry;
	}

	refusal(index: number): Failure | undefined {
		const answer = this.items.answerOf(index);
		if (this.items.problem && answer?.claim !== 'granted') return this.notLookedUp();
		return answer?.problem === undefined ? undefined : unreadableRow(answer.problem);
	}

	needsClaim(index: number): boolean {
		return this.contactOf(index) !== undefined && this.items.answerOf(index)?.claim !== 'granted';
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
		const sought = indexes.filter((index) => this.contactOf(index) !== undefined);
		await this.items.askAll(sought, { isOfEarlierTry });
		// What fails has been told of the items.
		this.isEmpty = this.limitsContacts && (await this.options.book.isEmpty().catch(() => false));
	}

	begin(indexes: readonly number[]): ClaimRound {
		const isOver = this.items.problem !== undefined || this.isClosed;
		const begun = isOver ? [] : indexes.filter((index) => this.enter(index));
		return {
			asked: [],
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
		const { isEmpty, unwritten } = this;
		const isLimited = !this.isUsed || this.limitsContacts;
		const byNode = describeHeldBack(this.items.heldBackByNode.size, BY_NODE);
		const doubtful = describeDoubtful([...this.items.doubtfulOutcomes]);
		return joinTexts([describeBook({ isLimited, isEmpty, unwritten }), doubtful, byNode]);
	}

	/** Has the item go first of those of this process that are for the same person; false if another one does. */
	private enter(index: number): boolean {
		if (this.contactOf(index) === undefined || this.isPending(index)) return false;
		this.items.add(index);
		if (this.isExclusive(index) && !this.turnHolders.has(index)) {
			this.turnHolders.add(index);
			people.beginContact(this.personOf(index));
		}
		return true;
	}

	/** True if the rules of an item limit how often its person is contacted. */
	private get limitsContacts(): boolean {
		return this.plans.some((_, index) => this.isExclusive(index));
	}

	private isExclusive(index: number): boolean {
		return isExclusive(this.plans[index]);
	}

	private contactOf(index: number): Contact | undefined {
		return this.plans[index]?.contact;
	}

	private personOf(index: number): string {
		const { book, mode } = this.options;
		return `${book.id} ${mode} ${phoneOf(this.plans[index])}`;
	}
}
