import type { RowValues } from '../../book/columns';
import { toBookProblem, type BookProblem } from '../../book/problem';
import type { BookAnswer, BookClaim } from '../../book/question';
import { CLAIM_AGES, isAccepted } from '../../book/view';
import type { SentItem } from '../../request/planned';
import { mayHaveBeenSent, type RunResult } from '../result';
import { claimedValues, isExclusive, phoneOf, ROWS_GONE, settledValues } from './bookRows';
import type { ItemChecks } from './contactShelf';
import type { BookAccess } from './openBook';
import * as people from './people';
import { isWithinRule, type History, type Rules } from './rules';
import { remember, seenInBook } from './seenInBook';

export interface BookItemsOptions {
	readonly book: BookAccess;
	readonly rules: Rules;
	/** Names an item in all tries of its execution; `undefined` if that cannot be told. */
	readonly nameOf: (index: number) => string | undefined;
	/** False for a tool: the same request as one that was accepted is a new call. */
	readonly recallsTries: boolean;
	/** Of the credential; rows of others do not count. */
	readonly mode: string;
	/** What each row of the run holds. */
	readonly values: RowValues;
	/** Names the node and the mode in the memory of this process. */
	readonly node: string;
	/** Called whenever an item waits for some seconds until others have ended. */
	readonly onWait: () => void;
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

/** The items of a run in the contact book: asks for them, claims their people, and writes what became of them. */
export class BookItems {
	/** What the book has failed to do. Nothing more is claimed then. */
	problem: BookProblem | undefined;

	/** The items that nothing in the book holds back, but a contact that the node has made without it. */
	readonly heldBackByNode = new Set<number>();

	/** See {@link BookAnswer.openIn}. */
	readonly openIn = new Set<string>();

	/** See {@link BookAnswer.doubtful}. */
	readonly doubtfulOutcomes = new Set<string>();

	private readonly known = new Map<number, Known>();

	private readonly asking = new Set<Promise<void>>();

	private readonly writing: Promise<BookProblem | undefined>[] = [];

	/** @param items by index; `undefined` for those that the book has nothing to do with */
	constructor(
		private readonly options: BookItemsOptions,
		private readonly items: readonly (SentItem | undefined)[],
	) {}

	/** The item is open from now on, until it is settled. */
	add(index: number): void {
		this.knownOf(index);
	}

	isOpen(index: number): boolean {
		return this.known.has(index);
	}

	get open(): number[] {
		return [...this.known.keys()];
	}

	/** What the book has said of an open item last; `undefined` if nothing yet. */
	answerOf(index: number): BookAnswer | undefined {
		return this.known.get(index)?.answer;
	}

	/**
	 * What is known of the recipient of an item: what the book says, and whom this process knows that the node has contacted
	 * without the book.
	 */
	historyOf(
		index: number,
		isOfEarlierTry: boolean,
		{ contacts = [], isOptedOut, isUnsettled }: Partial<History> = this.answerOf(index) ?? {},
	): History {
		const own = isOfEarlierTry ? undefined : people.lastContact(this.personOf(index));
		const isWithin = (at: number | undefined): boolean => isWithinRule(this.items[index], at);
		// Else it needs no row.
		if (isWithin(own) && isOptedOut !== true && !contacts.some(isWithin))
			this.heldBackByNode.add(index);
		return {
			contacts: own === undefined ? contacts : [...contacts, own].sort((one, other) => other - one),
			isOptedOut,
			isUnsettled: isUnsettled === true && (own ?? 0) < (contacts[0] ?? 0),
		};
	}

	/** How long an item still waits until it looks whether others have ended, in milliseconds; 0 if it does not. */
	waitOf(index: number): number {
		return Math.max(0, (this.known.get(index)?.lookAt ?? 0) - Date.now());
	}

	/** See {@link ContactShelf.revokeIfStale}. */
	revokeIfStale(index: number): boolean {
		const known = this.known.get(index);
		const { claim, claimedAt = 0 } = known?.answer ?? {};
		if (!known?.answer || claim !== 'granted' || Date.now() - claimedAt < CLAIM_AGES) return false;
		known.answer = { ...known.answer, claim: 'standing' };
		return true;
	}

	/** To be called right before each request of an item. */
	sending(index: number): void {
		const known = this.known.get(index);
		if (known) known.sentAt = Date.now();
	}

	/** Asks for items, and adds them. What fails is the {@link problem}. */
	async askAll(indexes: readonly number[], checks: Partial<ItemChecks>): Promise<void> {
		await Promise.all(
			indexes.map(async (index) => {
				const asking = this.ask(index, checks);
				this.asking.add(asking);
				await asking;
				this.asking.delete(asking);
			}),
		);
	}

	/** Writes what became of an item in this try. */
	settle(index: number, given: RunResult): void {
		const { answer, sentAt } = this.known.get(index) ?? {};
		this.known.delete(index);
		this.write(answer, settledValues(this.items[index], sentAt, given));
		if (sentAt !== undefined && mayHaveBeenSent(given))
			remember(this.personOf(index), { at: sentAt });
	}

	/** Resolves when nothing is asked any more. */
	async untilAsked(): Promise<void> {
		await Promise.all(this.asking);
	}

	/** Resolves when everything is written, with how many rows could not be. */
	async untilWritten(): Promise<number> {
		const problems = await Promise.all(this.writing);
		return problems.filter((problem) => problem !== undefined).length;
	}

	private async ask(
		index: number,
		{ isOfEarlierTry, mayBeSent }: Partial<ItemChecks>,
	): Promise<void> {
		const now = Date.now();
		const known = this.knownOf(index);
		const { book, mode, nameOf } = this.options;
		const itemKey = nameOf(index);
		const isOwn = isOfEarlierTry?.(index) === true;
		try {
			known.answer = await book.ask({
				phone: phoneOf(this.items[index]),
				mode,
				...(itemKey !== undefined && { itemKey }),
				isOfEarlierTry: isOwn,
				// Who only looks does not wait.
				isPatient:
					mayBeSent !== undefined &&
					now - (known.waitsSince ?? now) < 1_000 * (this.items[index]?.options?.maxWait ?? 0),
				...(mayBeSent?.(index) === true && {
					claim: this.claimOf(index, itemKey, known.answer, isOwn),
				}),
			});
			for (const execution of known.answer.openIn ?? []) this.openIn.add(execution);
			for (const outcome of known.answer.doubtful ?? []) this.doubtfulOutcomes.add(outcome);
			this.rememberSeen(index, known.answer, isOwn);
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
		if (known.wait === LONGEST_WAIT) this.options.onWait();
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
		isOfEarlierTry: boolean,
	): BookClaim {
		const { recallsTries, rules, values } = this.options;
		return {
			values: { ...values, ...claimedValues(this.items[index], itemKey) },
			...(earlier && { earlier }),
			isExclusive: isExclusive(this.items[index]),
			isAllowed: (look) =>
				!(recallsTries && isAccepted(look.earlierTry)) &&
				rules.holdBack(index, this.historyOf(index, isOfEarlierTry, look)) === undefined,
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

	private rememberSeen(index: number, answer: BookAnswer, isOfEarlierTry: boolean): void {
		const person = this.personOf(index);
		const before = seenInBook(person);
		// The rows of an earlier try are left out of the answer, and those that cannot be read.
		const [at = isOfEarlierTry ? before.at : undefined] = answer.contacts;
		const isUnread = answer.problem !== undefined;
		const isOptedOut = answer.isOptedOut || (isUnread && before.isOptedOut === true);
		const isKnown = before.at !== undefined || before.isOptedOut === true;
		if (isKnown || isOptedOut || at !== undefined) remember(person, { at, isOptedOut });
	}

	private personOf(index: number): string {
		return people.nameOfPerson(this.options.node, this.items[index]);
	}
}
