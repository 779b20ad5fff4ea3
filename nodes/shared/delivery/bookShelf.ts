import type { Asked, Claimed, Claiming } from '../book/book';
import type { RowValues } from '../book/columns';
import { BookProblem, toBookProblem } from '../book/problem';
import type { Contact, Seen } from '../book/view';
import { limitsContacts } from '../rules/contactRules';
import type { Rules } from '../rules/rules';
import { isSendable, phoneOf, type Item, type Sendable } from '../items/item';
import type { ItemId } from '../items/subject';
import { digest } from '../values';
import { claimedValues, recalledAnswer, settledValues } from './bookRows';
import { bookFailure, unreadableRow } from './failures';
import type { Notes } from './notes';
import { NOTHING, type Before, type Settled, type Shelf } from './shelf';

/** The book as a run uses it; see `Book`. */
export interface BookAccess {
	look(asked: Asked): Promise<Seen>;
	claim(claiming: Claiming): Promise<Claimed>;
	settle(claim: string, values: RowValues): Promise<void>;
}

interface BookShelfOptions {
	readonly book: BookAccess;
	readonly rules: Rules;
	readonly notes: Pick<Notes, 'idOf' | 'of' | 'renumber'>;
	/** True if an item of this run has the number, or what an earlier run of the node has sent. */
	readonly isTaken: (id: ItemId) => boolean;
	/** Names the node in the execution, the same in its retries. */
	readonly origin: string;
	/** Of the credential; rows of others do not count. */
	readonly mode: string;
	/** What each row of the run holds. */
	readonly values: RowValues;
	/** True if the same request as one that was accepted is a new call, as of a tool. */
	readonly isTool: boolean;
	readonly isRetry: boolean;
	/** The items by index. */
	readonly items: readonly Item[];
}

/** The contact book as the memory of a run: claims the people of its items, and writes what became of them. */
export class BookShelf implements Shelf {
	/** What the book has failed to do. Nothing more is claimed then. */
	private problem: BookProblem | undefined;

	/** The claims of items that have not ended. */
	private readonly claims = new Map<Item, string>();

	/** The items that have ended. */
	private readonly ended = new Set<Item>();

	/** The subjects whose rows of earlier tries are matched with items. */
	private readonly matched = new Set<string>();

	private readonly work = new Set<Promise<unknown>>();

	constructor(private readonly options: BookShelfOptions) {}

	async look(items: readonly Item[]): Promise<ReadonlyMap<Item, Before>> {
		return await this.askAll(items, async (item) => {
			const { book, mode } = this.options;
			return this.beforeOf(item, await book.look({ phone: phoneOf(item), mode }));
		});
	}

	/** A retry looks up all items, so that it says what was sent. */
	async claim(
		items: readonly Item[],
		maySend: (item: Item) => item is Sendable,
	): Promise<ReadonlyMap<Item, Before>> {
		const asked = items.filter((item) => this.options.isRetry || maySend(item));
		const looked = await this.look(asked.filter((item) => !maySend(item)));
		const claimed = await this.askAll(asked, async (item) =>
			maySend(item) ? await this.claimOne(item) : (looked.get(item) ?? NOTHING),
		);
		return new Map([...looked, ...claimed]);
	}

	async settle(item: Item, { given, sentAt }: Settled): Promise<void> {
		this.ended.add(item);
		const claim = this.claims.get(item);
		this.claims.delete(item);
		if (claim !== undefined) await this.write(claim, settledValues(item, sentAt, given));
	}

	async close(): Promise<void> {
		// Of a run that was stopped, claims may still come.
		while (this.work.size > 0) await Promise.allSettled(this.work);
		await Promise.all(
			[...this.claims.values()].map(async (claim) => {
				await this.giveUp(claim);
			}),
		);
	}

	private async claimOne(item: Sendable): Promise<Before> {
		const { book, mode, values } = this.options;
		const { seen, claim } = await book.claim({
			phone: phoneOf(item),
			mode,
			values: { ...values, ...claimedValues(item) },
			isExclusive: item.person !== undefined && limitsContacts(item.person.rules),
			mayClaim: (now) =>
				mayBeSent(item, this.beforeOf(item, now)) ? this.nameOf(item) : undefined,
		});
		const before = this.beforeOf(item, seen);
		if (claim === undefined) return mayBeSent(item, before) ? unreadable(ALWAYS_CONTESTED) : before;
		if (this.ended.has(item)) await this.giveUp(claim);
		else this.claims.set(item, claim);
		return before;
	}

	/** What the rows of its number say of an item. */
	private beforeOf(item: Item, seen: Seen): Before {
		this.matchRows(item, seen.contacts);
		const name = this.nameOf(item);
		const { isTool, notes, rules } = this.options;
		// A tool gets the same request again for a new call, unless its notes know better.
		const isKnown = !isTool || notes.of(item.index) !== undefined;
		const isOwn = (contact: Contact): boolean => isKnown && contact.item === name;
		const contacts = seen.contacts.filter(({ outcome }) => outcome !== 'notMade');
		const own = contacts.filter(isOwn);
		const accepted = own.find(({ outcome }) => outcome === 'accepted');
		if (accepted) return recalledAnswer(item, accepted.contactId);
		const before: Before = own.length > 0 ? { kind: 'maybeSent' } : NOTHING;
		if (!isSendable(item) || !mayBeSent(item, before)) return before;
		if (seen.problem !== undefined)
			return { kind: 'unreadable', failure: unreadableRow(seen.problem) };
		const others = contacts.filter((contact) => !isOwn(contact)).map(({ at }) => at);
		return rules.holdBack(item.person, others, seen.isOptedOut) ?? before;
	}

	/**
	 * Rows of earlier tries whose number no item takes stand for the first items of their subject that have none (rule 5):
	 * items may have been deleted. To be called before a row of this run is written.
	 */
	private matchRows({ subject }: Item, contacts: readonly Contact[]): void {
		const { isRetry, isTaken, items, notes } = this.options;
		if (!isRetry || subject === undefined || this.matched.has(subject)) return;
		this.matched.add(subject);
		const prefix = this.prefixOf(subject);
		const ofSubject = contacts.filter(
			(contact) => contact.item.startsWith(prefix) && contact.outcome !== 'notMade',
		);
		const numbers = new Set(ofSubject.map((contact) => Number(contact.item.slice(prefix.length))));
		const left = [...numbers]
			.filter((nth) => !isTaken({ subject, nth }))
			.sort((one, other) => one - other);
		for (const item of items) {
			const id = item.subject === subject ? notes.idOf(item.index) : undefined;
			if (id === undefined || numbers.has(id.nth) || notes.of(item.index)) continue;
			const nth = left.shift();
			if (nth !== undefined) notes.renumber(item.index, { subject, nth });
		}
	}

	private nameOf({ index }: Item): string | undefined {
		const id = this.options.notes.idOf(index);
		return id && `${this.prefixOf(id.subject)}${id.nth}`;
	}

	private prefixOf(subject: string): string {
		return `${digest(`${this.options.origin} ${subject}`)}-`;
	}

	/** Asks for items that have a number. If the book fails, none of them is sent. */
	private async askAll(
		items: readonly Item[],
		ask: (item: Item) => Promise<Before>,
	): Promise<Map<Item, Before>> {
		const answers = new Map<Item, Before>();
		const askOne = async (item: Item): Promise<void> => {
			try {
				if (this.problem) throw this.problem;
				answers.set(item, await ask(item));
			} catch (error) {
				this.problem ??= toBookProblem(error);
				answers.set(item, unreadable(this.problem));
			}
		};
		const asked = items.filter((item) => phoneOf(item) !== '');
		await Promise.all(
			asked.map(async (item) => {
				await this.track(askOne(item));
			}),
		);
		return answers;
	}

	private async giveUp(claim: string): Promise<void> {
		await this.write(claim, { outcome: 'notMade' });
	}

	private async write(claim: string, values: RowValues): Promise<void> {
		await this.track(this.options.book.settle(claim, values));
	}

	private async track<T>(work: Promise<T>): Promise<T> {
		this.work.add(work);
		try {
			return await work;
		} finally {
			this.work.delete(work);
		}
	}
}

const mayBeSent = (item: Sendable, before: Before): boolean =>
	before.kind === 'nothing' ||
	(before.kind === 'maybeSent' && item.options.ifOutcomeUnknown === 'sendAgain');

const unreadable = (problem: BookProblem): Before => ({
	kind: 'unreadable',
	failure: bookFailure(problem),
});

const ALWAYS_CONTESTED = new BookProblem(
	'Other runs claim this person in the contact book again and again',
	'Try again later.',
);
