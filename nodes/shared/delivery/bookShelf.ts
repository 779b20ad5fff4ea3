import { openBook, type Book } from '../book/book';
import { ROWS_GONE, toBookProblem, type BookProblem } from '../book/bookProblem';
import type { BookAccess } from '../book/tableApi';
import type { Contact, Seen } from '../book/view';
import { limitsContacts } from '../rules/contactRules';
import { isSendable, phoneOf, type Item } from '../items/item';
import { doneOrAborted } from '../time/wait';
import { digest, groupBy } from '../values';
import { earlierByRow, settledValues } from './contactRow';
import { staysUnknown, type Entry } from './entry';
import { bookFailure, unreadableRow } from './deliveryFailures';
import type { EarlierRow } from './identify';
import { failed } from './outcome';
import type { Run } from './run';
import type { MaySend, Shelf, ShelfAnswer, ShelfAnswers } from './shelf';

interface BookShelfOptions {
	readonly run: Run;
	readonly book: BookAccess;
	/** Names the node in the execution, the same in its retries. */
	readonly origin: string;
}

/** What the rows of its number say of an item. */
interface Verdict extends ShelfAnswer {
	readonly mayBeSent: boolean;
}

/** The contact book as a run's memory: claims its people, and writes what became of the items. */
export class BookShelf implements Shelf {
	/** What the book has failed to do. Nothing more is claimed then. */
	private problem: BookProblem | undefined;

	/** Opened when the run asks first. */
	private opening: Promise<Book> | undefined;

	/** How long n8n's limit is waited for, in milliseconds: the longest Max Wait counts. */
	private readonly maxWait: number;

	/** Rows of other modes do not count. A run that only checks looks up what it would send. */
	private readonly mode: string;

	constructor(private readonly options: BookShelfOptions) {
		const { run } = options;
		const waits = run.items.map((item) => (isSendable(item) ? item.options.maxWait : 0));
		this.maxWait = 1_000 * waits.reduce((longest, wait) => Math.max(longest, wait), 0);
		this.mode = run.mode.kind === 'checkOnly' ? 'live' : run.mode.kind;
	}

	/** Reads the rows of the items' numbers. If that fails, nothing is sent later, either. */
	async recall(items: readonly Item[]): Promise<readonly EarlierRow[]> {
		const byPhone = groupBy(items, phoneOf);
		byPhone.delete('');
		const reading = [...byPhone].map(async ([phone, itemsOfPhone]) => {
			const { contacts } = await this.see(phone);
			const subjects = new Set(itemsOfPhone.flatMap(({ subject }) => subject ?? []));
			return [...subjects].flatMap((subject) => this.rowsOf(subject, contacts));
		});
		try {
			return (await Promise.all(reading)).flat();
		} catch (error) {
			this.problem ??= toBookProblem(error);
			return [];
		}
	}

	async look(entries: readonly Entry[]): Promise<ShelfAnswers> {
		return await this.askAll(entries, async (entry) =>
			this.decide(entry, await this.see(phoneOf(entry.item))),
		);
	}

	async claim(entries: readonly Entry[], maySend: MaySend): Promise<ShelfAnswers> {
		return await this.askAll(entries.filter(maySend), this.claimEntry);
	}

	/** Waits ten seconds and Max Wait; Place and Wait, which goes by its rows, waits on. */
	async settle(entry: Entry): Promise<void> {
		const { claim } = entry;
		delete entry.claim;
		if (claim === undefined) return;
		const { cancelSignal, waiting } = this.options.run;
		const settled = (await this.book()).settle(this.options.book.send, claim, settledValues(entry));
		const patience = 10_000 + Math.ceil(this.maxWait);
		await doneOrAborted(settled, waiting ? cancelSignal : AbortSignal.timeout(patience));
	}

	async release(entries: readonly Entry[]): Promise<void> {
		await Promise.all(entries.map((entry) => this.settle(entry)));
	}

	private async book(): Promise<Book> {
		return await (this.opening ??= openBook(this.options.book, this.maxWait));
	}

	private async see(phone: string): Promise<Seen> {
		const { maxWait, mode } = this;
		const book = await this.book();
		return await book.look(this.options.book.send, { phone, mode, maxWait });
	}

	private readonly claimEntry = async (entry: Entry): Promise<ShelfAnswer> => {
		const { host, operationName, waiting } = this.options.run;
		const { item } = entry;
		const { maxWait, mode } = this;
		const book = await this.book();
		const { seen, claim } = await book.claim(this.options.book.send, {
			phone: phoneOf(item),
			mode,
			maxWait,
			values: {
				operation: operationName,
				workflow: host.workflowId,
				execution: host.executionId,
				reference: item.person?.reference ?? null,
				list: item.person?.rules.list ?? null,
				...waiting,
			},
			isExclusive: item.person !== undefined && limitsContacts(item.person.rules),
			mayClaim: (seenNow) =>
				this.decide(entry, seenNow).mayBeSent ? this.nameOf(entry) : undefined,
		});
		const { mayBeSent, ...answer } = this.decide(entry, seen);
		if (claim === undefined && mayBeSent) throw ROWS_GONE;
		return { ...answer, ...(claim !== undefined && { claim }) };
	};

	/** Decides by what the rows of its number say whether an item may be sent. */
	private decide(entry: Entry, { at, contacts, isOptedOut, problem }: Seen): Verdict {
		const { item } = entry;
		const { rules } = this.options.run;
		const made = contacts.filter(isMade);
		const rowsOfItem = made.filter((contact) => this.isOfItem(contact, entry));
		const accepted = rowsOfItem.find(({ outcome }) => outcome === 'accepted');
		const earlier = earlierByRow(item, accepted ?? rowsOfItem[0]);
		if (earlier.kind !== 'nothing') rules.keepPlace(item);
		const isOver = earlier.kind === 'accepted' || staysUnknown({ item, earlier });
		if (isOver || !isSendable(item)) return { earlier, mayBeSent: false };
		if (problem !== undefined)
			return { earlier, hold: failed(unreadableRow(problem)), mayBeSent: false };
		// An item's own earlier try is no contact, unless somebody has entered that it reached them.
		const earlierContacts = made.filter(
			(contact) => contact.reached === true || !rowsOfItem.includes(contact),
		);
		const hold = rules.holdBack(item, { at, contacts: earlierContacts, isOptedOut });
		return { earlier, ...(hold && { hold }), mayBeSent: hold === undefined };
	}

	/**
	 * Says whether a contact is of an item, in this try or an earlier one. A tool gets the same
	 * request again for a new call, unless an earlier try has made it.
	 */
	private isOfItem({ item: name, execution }: Contact, entry: Entry): boolean {
		const isOfSomeTry = entry.note !== undefined || this.isOfEarlierTry(execution);
		return isOfSomeTry && name === this.nameOf(entry);
	}

	/** Says whether the calls of a tool in this execution may be of an earlier try. */
	private isOfEarlierTry(execution: string): boolean {
		const { toolHost, isRetry, executionId } = this.options.run.host;
		return toolHost === undefined || (isRetry && (execution !== executionId || executionId === ''));
	}

	/** Reads which items of a subject earlier tries have sent, or may have sent. */
	private rowsOf(subject: string, contacts: readonly Contact[]): EarlierRow[] {
		const prefix = this.prefixOf(subject);
		return contacts
			.filter(isMade)
			.filter(({ item, execution }) => item.startsWith(prefix) && this.isOfEarlierTry(execution))
			.map(({ item, outcome, contactId }) => {
				return { subject, nth: Number(item.slice(prefix.length)), outcome, contactId };
			});
	}

	private nameOf({ id }: Entry): string | undefined {
		return id && `${this.prefixOf(id.subject)}${id.nth}`;
	}

	private prefixOf(subject: string): string {
		return `${digest(`${this.options.origin} ${subject}`)}-`;
	}

	/** Asks for items that have a number. If the book fails, none of them is sent. */
	private async askAll(
		entries: readonly Entry[],
		ask: (entry: Entry) => Promise<ShelfAnswer>,
	): Promise<ShelfAnswers> {
		const answers = new Map<Entry, ShelfAnswer>();
		const askFor = async (entry: Entry): Promise<void> => {
			try {
				if (this.problem) throw this.problem;
				answers.set(entry, await ask(entry));
			} catch (error) {
				this.problem ??= toBookProblem(error);
				answers.set(entry, { hold: failed(bookFailure(this.problem)) });
			}
		};
		await Promise.all(entries.filter(({ item }) => phoneOf(item) !== '').map(askFor));
		return answers;
	}
}

/** Says whether the service may have done something. */
const isMade = (contact: Contact): contact is Contact & Pick<EarlierRow, 'outcome'> =>
	contact.outcome !== 'notMade';
