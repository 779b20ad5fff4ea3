import type { RowValues } from '../../book/columns';
import { toBookProblem, type BookProblem } from '../../book/problem';
import type { BookAnswer, BookClaim } from '../../book/question';
import { CLAIM_AGES, isAccepted } from '../../book/view';
import type { SentItem } from '../../request/planned';
import type { RunResult } from '../result';
import { claimedValues, isExclusive, phoneOf, ROWS_GONE, settledValues } from './bookRows';
import type { BookAccess } from './openBook';
import type { Rules } from './rules';

/** What is known of an item when its recipient is looked up. */
export interface ItemChecks {
	/** True if an earlier try of this execution may have sent it: that try is no contact before. */
	readonly isOfEarlierTry: (index: number) => boolean;
	/**
	 * False if it is not to be sent: it cannot be, the run was stopped, an earlier try was accepted, or one may have sent it
	 * and it is not sent again.
	 */
	readonly mayBeSent: (index: number) => boolean;
}

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

	/** See {@link BookAnswer.openIn}. */
	readonly openIn = new Set<string>();

	private readonly known = new Map<number, Known>();

	private readonly asking = new Set<Promise<void>>();

	private readonly writing: Promise<BookProblem | undefined>[] = [];

	/** The settled items whose rows are being written. */
	readonly unwritten = new Map<number, Promise<unknown>>();

	/** @param items by index; `undefined` for those that the book has nothing to do with */
	constructor(
		private readonly options: BookItemsOptions,
		private readonly items: readonly (SentItem | undefined)[],
	) {}

	/** The items that were asked for and are not settled. */
	get open(): number[] {
		return [...this.known.keys()];
	}

	/** What the book has said of an open item last; `undefined` if nothing yet. */
	answerOf(index: number): BookAnswer | undefined {
		return this.known.get(index)?.answer;
	}

	/** How long an item still waits until it looks whether others have ended, in milliseconds; 0 if it does not. */
	waitOf(index: number): number {
		return Math.max(0, (this.known.get(index)?.lookAt ?? 0) - Date.now());
	}

	/** See {@link BookContacts.revokeIfStale}. */
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
		const writing = this.write(answer, settledValues(this.items[index], sentAt, given));
		if (writing === undefined) return;
		const end = (): void => {
			this.unwritten.delete(index);
		};
		this.unwritten.set(index, writing.then(end, end));
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
		const itemName = nameOf(index);
		const isOwn = isOfEarlierTry?.(index) === true;
		try {
			known.answer = await book.ask({
				phone: phoneOf(this.items[index]),
				mode,
				...(itemName !== undefined && { itemName }),
				isOfEarlierTry: isOwn,
				// Who only looks does not wait.
				isPatient:
					mayBeSent !== undefined &&
					now - (known.waitsSince ?? now) < 1_000 * (this.items[index]?.options?.maxWait ?? 0),
				...(mayBeSent?.(index) === true && {
					claim: this.claimOf(index, itemName, known.answer),
				}),
			});
			for (const execution of known.answer.openIn ?? []) this.openIn.add(execution);
		} catch (error) {
			this.problem ??= toBookProblem(error);
		}
		if (known.answer?.isGone === true && ++known.gone === MOST_GONE) this.problem ??= ROWS_GONE;
		// The run was stopped in the meantime.
		if (this.known.get(index) !== known) void this.write(known.answer, { outcome: 'notMade' });
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
		itemName: string | undefined,
		earlier: BookAnswer | undefined,
	): BookClaim {
		const { recallsTries, rules, values } = this.options;
		return {
			values: { ...values, ...claimedValues(this.items[index], itemName) },
			...(earlier && { earlier }),
			isExclusive: isExclusive(this.items[index]),
			isAllowed: (look) =>
				!(recallsTries && isAccepted(look.earlierTry)) && rules.holdBack(index, look) === undefined,
		};
	}

	/**
	 * Writes what became of a claim, if it stands. After a failure a claim with `none` may stand all the same, so its row is
	 * settled, too.
	 */
	private write(
		{ row, claim }: Partial<BookAnswer> = {},
		values: RowValues,
	): Promise<BookProblem | undefined> | undefined {
		if (row === undefined || (claim === 'none' && !this.problem)) return undefined;
		const writing = this.options.book.settle(row, values);
		this.writing.push(writing);
		return writing;
	}
}
