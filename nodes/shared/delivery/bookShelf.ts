import { openBook, type Book } from '../book/book';
import { createBookSend } from '../book/bookTransport';
import type { RowValues } from '../book/columns';
import { ROWS_GONE, toBookProblem, type BookProblem } from '../book/problem';
import type { ApiSend } from '../book/tableApi';
import type { Contact, Seen } from '../book/view';
import { limitsContacts } from '../rules/contactRules';
import type { BookCredential } from '../items/credential';
import { isSendable, phoneOf, type Item, type Sendable } from '../items/item';
import { steadyNow } from '../time/clock';
import { doneOrAborted } from '../time/wait';
import { digest, toPlainText } from '../values';
import type { Count } from './count';
import { bookFailure, unreadableRow } from './failures';
import type { Notes } from './notes';
import {
	mayHaveBeenSent,
	type Accepted,
	type Outcome,
	NOTHING,
	type Before,
	type Settled,
	type Shelf,
} from './outcome';
import type { Run } from './run';

interface BookShelfOptions {
	readonly run: Run;
	readonly book: BookCredential;
	readonly notes: Pick<Notes, 'idOf' | 'of' | 'matchRows'>;
	readonly count: Pick<Count, 'isTaken'>;
	/** Names the node in the execution, the same in its retries. */
	readonly origin: string;
}

/** The contact book as a run's memory: claims its people, and writes what became of the items. */
export class BookShelf implements Shelf {
	/** What the book has failed to do. Nothing more is claimed then. */
	private problem: BookProblem | undefined;

	/** The claims of items that have not ended. */
	private readonly claims = new Map<Item, string>();

	/** The subjects whose rows of earlier tries are matched with items. */
	private readonly matched = new Set<string>();

	private readonly send: ApiSend;

	/** Opened when the run asks first. */
	private opening: Promise<Book> | undefined;

	/** How long n8n's limit is waited for, in milliseconds: the longest Max Wait counts. */
	private readonly maxWait: number;

	/** Rows of other modes do not count. A run that only checks looks up what it would send. */
	private readonly mode: string;

	constructor(private readonly options: BookShelfOptions) {
		const { run, book } = options;
		this.send = createBookSend(run.context, run.credential, book);
		const waits = run.items.map((item) => (isSendable(item) ? item.options.maxWait : 0));
		this.maxWait = 1_000 * waits.reduce((longest, wait) => Math.max(longest, wait), 0);
		this.mode = run.mode.kind === 'checkOnly' ? 'live' : run.mode.kind;
	}

	async look(items: readonly Item[]): Promise<ReadonlyMap<Item, Before>> {
		return await this.askAll(items, this.lookAt);
	}

	async claim(
		items: readonly Item[],
		maySend: (item: Item) => item is Sendable,
	): Promise<ReadonlyMap<Item, Before>> {
		return await this.askAll(items, async (item) =>
			maySend(item) ? await this.claimOne(item) : await this.lookAt(item),
		);
	}

	async settle(item: Item, { given, sentAt }: Settled): Promise<void> {
		const claim = this.claims.get(item);
		this.claims.delete(item);
		if (claim !== undefined) await this.write(claim, settledValues(item, sentAt, given));
	}

	/** Claims are left that have come after their items were stopped. */
	async close(): Promise<void> {
		const claims = [...this.claims.values()];
		await Promise.all(claims.map((claim) => this.write(claim, { outcome: 'notMade' })));
	}

	private async book(): Promise<Book> {
		const until = steadyNow() + this.maxWait;
		return await (this.opening ??= openBook(this.send, this.options.book, until));
	}

	/** Waits ten seconds and Max Wait; Place and Wait, which goes by its rows, waits on. */
	private async write(claim: string, values: RowValues): Promise<void> {
		const { cancel, waiting } = this.options.run;
		const settled = (await this.book()).settle(this.send, claim, values);
		const wait = 10_000 + Math.ceil(this.maxWait);
		await doneOrAborted(settled, waiting ? cancel : AbortSignal.timeout(wait));
	}

	private readonly lookAt = async (item: Item): Promise<Before> => {
		const asked = { phone: phoneOf(item), mode: this.mode, until: steadyNow() + this.maxWait };
		return this.beforeOf(item, await (await this.book()).look(this.send, asked));
	};

	private async claimOne(item: Sendable): Promise<Before> {
		const { context, host, operationName, waiting } = this.options.run;
		const book = await this.book();
		// As it was decided: a moment later, what held the item back may be over, and it has no claim.
		let before: Before | undefined;
		const { seen, claim } = await book.claim(this.send, {
			phone: phoneOf(item),
			mode: this.mode,
			until: steadyNow() + this.maxWait,
			values: {
				operation: operationName,
				workflow: context.getWorkflow().id ?? '',
				execution: host.executionId,
				reference: item.person?.reference ?? null,
				...waiting,
			},
			isExclusive: item.person !== undefined && limitsContacts(item.person.rules),
			mayClaim: (now) => {
				before = this.beforeOf(item, now);
				return mayBeSent(item, before) ? this.nameOf(item) : undefined;
			},
		});
		if (before === undefined || seen.problem !== undefined) before = this.beforeOf(item, seen);
		if (claim !== undefined) this.claims.set(item, claim);
		else if (mayBeSent(item, before)) throw ROWS_GONE;
		return before;
	}

	/** Reads what the rows of its number say of an item. */
	private beforeOf(item: Item, seen: Seen): Before {
		this.matchRows(item, seen.contacts);
		const name = this.nameOf(item);
		const { notes, run } = this.options;
		const { tool, isRetry, executionId } = run.host;
		// A tool gets the same request again for a new call, unless an earlier try has made it.
		const isKnown = tool === undefined || notes.of(item.index) !== undefined;
		const isOwn = ({ item: own, execution }: Contact): boolean =>
			own === name && (isKnown || (isRetry && (execution !== executionId || executionId === '')));
		const contacts = seen.contacts.filter(({ outcome }) => outcome !== 'notMade');
		const own = contacts.filter(isOwn);
		const accepted = own.find(({ outcome }) => outcome === 'accepted');
		if (accepted) return recalledAnswer(item, accepted.contactId);
		const before: Before = own.length > 0 ? { kind: 'maybeSent' } : NOTHING;
		if (!isSendable(item) || !mayBeSent(item, before)) return before;
		if (seen.problem !== undefined)
			return { kind: 'unreadable', failure: unreadableRow(seen.problem) };
		const others = contacts.filter((contact) => !isOwn(contact)).map(({ at }) => at);
		return run.rules.holdBack(item.person, others, seen.isOptedOut) ?? before;
	}

	/** Matches rows of earlier tries with items before this run adds any; see `Notes.matchRows`. */
	private matchRows({ subject }: Item, contacts: readonly Contact[]): void {
		const { count, notes, run } = this.options;
		if (!run.host.isRetry || subject === undefined || this.matched.has(subject)) return;
		this.matched.add(subject);
		const prefix = this.prefixOf(subject);
		const rows = contacts
			.filter(({ item, outcome }) => item.startsWith(prefix) && outcome !== 'notMade')
			.map(({ item }) => ({ subject, nth: Number(item.slice(prefix.length)) }))
			// What an earlier run of the node has sent is its own.
			.filter((row) => !count.isTaken(row));
		notes.matchRows(subject, rows);
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
				answers.set(item, { kind: 'unreadable', failure: bookFailure(this.problem) });
			}
		};
		await Promise.all(items.filter((item) => phoneOf(item) !== '').map(askOne));
		return answers;
	}
}

const mayBeSent = (item: Sendable, before: Before): boolean =>
	before.kind === 'nothing' ||
	(before.kind === 'maybeSent' && item.options.ifOutcomeUnknown === 'sendAgain');

/** The IDs of the service that stand for a contact, as the outputs name them. */
const CONTACT_IDS = ['callId', 'messageId', 'campaignId'];

/**
 * Gives what the row of an item holds in the end.
 *
 * @param sentAt of its last request, in milliseconds since the epoch; `undefined` if none was sent
 * @param given what became of it in this try: an earlier one has a row of its own
 */
function settledValues(item: Item, sentAt: number | undefined, given: Outcome): RowValues {
	if (sentAt === undefined || !mayHaveBeenSent(given)) return { outcome: 'notMade' };
	const contactedAt = new Date(sentAt).toISOString();
	if (given.kind !== 'accepted') return { outcome: 'unknown', contactedAt };
	const { body, via } = given;
	const properties = isSendable(item) ? item.properties : {};
	const [output] = [item.operation.simplify(body, { properties, via })].flat();
	const ids = CONTACT_IDS.map((name) => toPlainText(output?.[name]));
	const contactId = ids.find((id) => id !== '') ?? null;
	return { outcome: 'accepted', contactedAt, contactId };
}

/** Gives the outcome of an accepted item that only the book knows: of its answer, an ID is left. */
function recalledAnswer(item: Item, contactId: string | null): Accepted {
	const properties = isSendable(item) ? item.properties : {};
	const output = item.operation.simplify({}, { properties, via: 'main' });
	const names = [output].flat().flatMap(Object.keys);
	const idName = CONTACT_IDS.find((name) => names.includes(name));
	const recalled = names.map((name) => [name, name === idName ? contactId : null] as const);
	return { kind: 'accepted', body: {}, via: 'main', recalled: Object.fromEntries(recalled) };
}
