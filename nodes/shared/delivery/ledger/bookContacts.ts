import type { Failure } from '../../answer/failure';
import type { RowValues } from '../../book/columns';
import { toBookProblem, type BookProblem } from '../../book/problem';
import type { BookAnswer, BookClaim } from '../../book/question';
import { CLAIM_AGES, isAccepted } from '../../book/view';
import { limitsContacts } from '../../outreach/contactRules';
import { plansOf, type Planned } from '../../request/planned';
import type { Contact, ItemPlan } from '../../request/request';
import { failed, type Accepted, type RunResult } from '../result';
import { stopped } from '../waitFailures';
import { describeBook } from './bookNotices';
import {
	bookFailure,
	claimedValues,
	OVER,
	phoneOf,
	recalledAnswer,
	ROWS_GONE,
	settledValues,
	unreadableRow,
} from './bookRows';
import type { ClaimRound, ContactShelf, ItemChecks } from './contactShelf';
import type { BookAccess } from './openBook';
import * as people from './people';
import { longestRule, type History, type Rules } from './rules';
import { Waits } from './waits';

export interface BookContactsOptions {
	readonly book: BookAccess;
	readonly rules: Rules;
	/** Names the node and the mode in the memory of what it contacts without the book. */
	readonly node: string;
	/** Names an item in all tries of its execution; `undefined` if that cannot be told. */
	readonly nameOf: (index: number) => string | undefined;
	/** False for a tool: the same request as one that was accepted is a new call. */
	readonly recallsTries: boolean;
	/** Of the credential; rows of others do not count. */
	readonly mode: string;
	/** What each row of the run holds. */
	readonly values: RowValues;
}

/** How long an item waits until it looks again whether others have ended: at first, and at most. In milliseconds. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 2_000;

/** How often an item is claimed whose row is gone when it is looked for. */
const MOST_GONE = 3;

/** What is known of an item. */
interface Known {
	answer?: BookAnswer;
	/** When its last request was sent, in milliseconds since the epoch. */
	sentAt?: number;
	/** When it met the claim of another first. */
	waitsSince?: number;
	/** When it is to look again, and how long it waits then. */
	lookAt: number;
	wait: number;
	/** How often the row of its claim was gone. */
	gone: number;
}

/** Remembers contacts in the contact book, which all workflows and processes share. */
export class BookContacts implements ContactShelf {
	readonly isUsed: boolean;

	readonly readsFirst = true;

	private readonly plans: readonly (ItemPlan | undefined)[];

	/** By the place of the item. */
	private readonly known = new Map<number, Known>();

	/** The items that keep others of this process from the same person. */
	private readonly turnHolders = new Set<number>();

	private readonly waits = new Waits();

	private readonly asking = new Set<Promise<void>>();

	private readonly writing: Promise<BookProblem | undefined>[] = [];

	private problem: BookProblem | undefined;

	private unwritten = 0;

	private isEmpty = false;

	private isClosed = false;

	/** @param planned the items by place */
	constructor(
		private readonly options: BookContactsOptions,
		planned: readonly Planned[],
	) {
		this.plans = plansOf(planned);
		this.isUsed = this.plans.some((plan) => plan?.contact !== undefined);
	}

	history(index: number): History {
		const { contacts = [], isOptedOut, isUnsettled } = this.known.get(index)?.answer ?? {};
		return { contacts, isOptedOut, isUnsettled };
	}

	earlierTry(index: number): Accepted | 'possible' | undefined {
		const { earlierTry } = this.known.get(index)?.answer ?? {};
		const plan = this.plans[index];
		if (plan === undefined || !this.options.recallsTries) return undefined;
		return isAccepted(earlierTry) ? recalledAnswer(plan, earlierTry.acceptedAs) : earlierTry;
	}

	refusal(index: number): Failure | undefined {
		const { answer } = this.known.get(index) ?? {};
		if (this.problem && answer?.claim !== 'granted') return this.notLookedUp();
		return answer?.problem === undefined ? undefined : unreadableRow(answer.problem);
	}

	needsClaim(index: number): boolean {
		return (
			this.contactOf(index) !== undefined && this.known.get(index)?.answer?.claim !== 'granted'
		);
	}

	isPending(index: number): boolean {
		if (!this.turnHolders.has(index))
			return this.isExclusive(index) && people.isPending(this.personOf(index));
		return Date.now() < (this.known.get(index)?.lookAt ?? 0);
	}

	async waitForTurn(index: number): Promise<void> {
		if (!this.turnHolders.has(index)) await this.waits.forPerson(this.personOf(index));
		else await this.waits.forTime(Math.max(0, (this.known.get(index)?.lookAt ?? 0) - Date.now()));
	}

	endWaits(): void {
		this.waits.end();
	}

	async look(
		indexes: readonly number[],
		isOfEarlierTry: (index: number) => boolean,
	): Promise<void> {
		const sought = indexes.filter((index) => this.contactOf(index) !== undefined);
		await this.askAll(sought, { isOfEarlierTry });
		// What fails has been told of the items.
		this.isEmpty = this.limitsContacts && (await this.options.book.isEmpty().catch(() => false));
	}

	begin(indexes: readonly number[]): ClaimRound {
		const begun = this.problem || this.isClosed ? [] : indexes.filter((index) => this.enter(index));
		return {
			asked: [],
			finish: async (_, checks) => {
				// Some may have ended in the meantime.
				await this.askAll(
					begun.filter((index) => this.known.has(index)),
					checks,
				);
				return this.problem === undefined && !this.isClosed;
			},
		};
	}

	notLookedUp(): Failure {
		return bookFailure(this.problem ?? OVER);
	}

	revokeIfStale(index: number): boolean {
		const known = this.known.get(index);
		const { claim, claimedAt = 0 } = known?.answer ?? {};
		if (!known?.answer || claim !== 'granted' || Date.now() - claimedAt < CLAIM_AGES) return false;
		known.answer = { ...known.answer, claim: 'standing' };
		return true;
	}

	sending(index: number): void {
		const known = this.known.get(index);
		if (known) known.sentAt = Date.now();
	}

	settle(index: number, _: RunResult, given: RunResult): void {
		const known = this.known.get(index);
		this.known.delete(index);
		if (known) this.write(known.answer, settledValues(this.plans[index], known.sentAt, given));
		if (!this.isExclusive(index)) return;
		if (this.turnHolders.delete(index)) people.endContact(this.personOf(index));
		// If it has waited, the turn is the next one's.
		else people.wakeNext(this.personOf(index));
	}

	async close(): Promise<void> {
		this.isClosed = true;
		this.endWaits();
		await Promise.all(this.asking);
		const over = failed(stopped());
		for (const index of [...this.known.keys()]) this.settle(index, over, over);
		const problems = await Promise.all(this.writing);
		this.unwritten = problems.filter((problem) => problem !== undefined).length;
	}

	describeLimits(): string {
		const { isEmpty, unwritten } = this;
		const isLimited = !this.isUsed || this.limitsContacts;
		const since = Date.now() - longestRule(this.plans);
		const hasOthers = people.hasContacted(this.options.node, since);
		return describeBook({ isLimited, isEmpty, hasOthers, unwritten });
	}

	/** Has the item go first of those of this process that are for the same person; false if another one does. */
	private enter(index: number): boolean {
		if (this.contactOf(index) === undefined || this.isPending(index)) return false;
		this.knownOf(index);
		if (this.isExclusive(index) && !this.turnHolders.has(index)) {
			this.turnHolders.add(index);
			people.beginContact(this.personOf(index));
		}
		return true;
	}

	private async askAll(indexes: readonly number[], checks: Partial<ItemChecks>): Promise<void> {
		await Promise.all(
			indexes.map(async (index) => {
				const asking = this.ask(index, checks);
				this.asking.add(asking);
				await asking;
				this.asking.delete(asking);
			}),
		);
	}

	/** Asks for an item; what fails is the {@link problem} of the run. */
	private async ask(
		index: number,
		{ isOfEarlierTry, mayBeSent }: Partial<ItemChecks>,
	): Promise<void> {
		const now = Date.now();
		const known = this.knownOf(index);
		const { book, mode, nameOf } = this.options;
		const itemKey = nameOf(index);
		try {
			known.answer = await book.ask({
				phone: phoneOf(this.plans[index]),
				mode,
				...(itemKey !== undefined && { itemKey }),
				isOfEarlierTry: isOfEarlierTry?.(index) === true,
				isPatient: now - (known.waitsSince ?? now) < this.maxWaitOf(index),
				...(mayBeSent?.(index) === true && { claim: this.claimOf(index, itemKey, known.answer) }),
			});
		} catch (error) {
			this.problem ??= toBookProblem(error);
		}
		if (known.answer?.isGone === true && ++known.gone === MOST_GONE) this.problem ??= ROWS_GONE;
		// The run was stopped in the meantime.
		if (this.known.get(index) !== known) this.write(known.answer, { outcome: 'notMade' });
		if (!known.answer || known.answer.claim === 'granted' || known.answer.rivals.length === 0)
			return;
		known.waitsSince ??= now;
		known.lookAt = Date.now() + known.wait;
		known.wait = Math.min(2 * known.wait, LONGEST_WAIT);
	}

	private knownOf(index: number): Known {
		const known = this.known.get(index) ?? { lookAt: 0, wait: FIRST_WAIT, gone: 0 };
		this.known.set(index, known);
		return known;
	}

	private claimOf(
		index: number,
		itemKey: string | undefined,
		earlier: BookAnswer | undefined,
	): BookClaim {
		const { recallsTries, rules, values } = this.options;
		return {
			values: { ...values, ...claimedValues(this.plans[index], itemKey) },
			...(earlier && { earlier }),
			isExclusive: this.isExclusive(index),
			isAllowed: (look) =>
				!(recallsTries && isAccepted(look.earlierTry)) && rules.holdBack(index, look) === undefined,
		};
	}

	/**
	 * Writes what became of a claim, if it stands. After a failure a claim with `none` may stand all the same, so its row is
	 * settled, too.
	 */
	private write({ row, claim }: Partial<BookAnswer> = {}, values: RowValues): void {
		if (row === undefined || (claim === 'none' && !this.problem)) return;
		this.writing.push(this.options.book.settle(row, values));
	}

	/** True if the rules of an item limit how often its person is contacted. */
	private get limitsContacts(): boolean {
		return this.plans.some((_, index) => this.isExclusive(index));
	}

	/** True if the rules limit how often the person is contacted. */
	private isExclusive(index: number): boolean {
		const contact = this.contactOf(index);
		return contact !== undefined && limitsContacts(contact.rules);
	}

	private contactOf(index: number): Contact | undefined {
		return this.plans[index]?.contact;
	}

	/** In milliseconds. */
	private maxWaitOf(index: number): number {
		return (this.plans[index]?.options.maxWait ?? 0) * 1_000;
	}

	private personOf(index: number): string {
		const { book, mode } = this.options;
		return `${book.id} ${mode} ${phoneOf(this.plans[index])}`;
	}
}
