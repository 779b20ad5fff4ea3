import { sleep } from 'n8n-workflow';

import type { BookCredential } from '../request/credential';
import { digest } from '../request/itemKeys';
import { answerAll } from './claims';
import type { RowValues } from './columns';
import { CallEnds } from './callEnds';
import { joined } from './joined';
import { checkIsFirst, checkIsMeant, openTable } from './openTable';
import { OptOuts } from './optOuts';
import { BookProblem, toBookProblem } from './problem';
import type { BookAnswer, BookQuestion } from './question';
import { rowsWith, sendOf, TableApi, type ApiSend, type OpenTable } from './tableApi';

/** How many numbers are asked for at a time: their filter is part of an address. */
const ASKED_AT_ONCE = 50;

/** How many requests settle contacts at a time. */
const SETTLED_AT_ONCE = 4;

/** How often n8n is asked if it fails, and how long is waited in between, in milliseconds. */
const TRIES = 3;
const BETWEEN_TRIES = 500;

interface Asked {
	readonly question: BookQuestion;
	readonly send: ApiSend;
}

interface Settled {
	readonly row: number;
	readonly values: RowValues;
	readonly send: ApiSend;
}

/**
 * The contact book of one credential, for all runs of this process. What they ask at the same time goes together, so that
 * many executions at once cost few requests.
 */
export class Book {
	/** What becomes of the contacts when their calls end. */
	readonly callEnds = new CallEnds(this);

	private readonly optOuts = new OptOuts();

	private opened: OpenTable | undefined;

	/**
	 * The IDs of the tables that were used under this name, also by earlier processes. A new table would remember nobody, so
	 * none is made or used in the place of one of these.
	 */
	readonly usedTables = new Set<string>();

	/** @param name the name or the ID of the table */
	constructor(private readonly name: string) {}

	/** The ID of the table that is used; `undefined` until there is one. */
	get tableId(): string | undefined {
		return this.opened?.id;
	}

	/** True if the rows of the table name their items, so that a retry finds them; false also until there is one. */
	get namesItems(): boolean {
		return this.opened?.namesItems === true;
	}

	/** Tells the book which table an earlier process has used. */
	expect(tableId: string): void {
		if (this.usedTables.has(tableId)) return;
		this.usedTables.add(tableId);
		// It is opened again, which tells whether it is that one.
		this.opened = undefined;
	}

	/**
	 * Claims a contact, or only looks; see {@link answerAll}.
	 *
	 * @throws BookProblem
	 */
	async ask(send: ApiSend, question: BookQuestion): Promise<BookAnswer> {
		return await this.askJoined({ question, send });
	}

	/** Writes what became of a contact; the problem if that failed three times: its row stays a claim, which counts as a contact. */
	async settle(send: ApiSend, row: number, values: RowValues): Promise<BookProblem | undefined> {
		return (await this.settleJoined({ row, values, send })).problem;
	}

	/**
	 * Does something with the table, if there is one; again if it turns out that the table is another one by now.
	 *
	 * @param isMade true if the table is to be made if there is none
	 * @throws BookProblem
	 */
	async use<T>(
		send: ApiSend,
		work: (table: TableApi) => Promise<T>,
		isMade: boolean,
	): Promise<T | undefined> {
		const wasKnown = this.opened !== undefined;
		try {
			return await this.useOnce(send, work, isMade);
		} catch (error) {
			if (wasKnown && this.opened === undefined) return await this.useOnce(send, work, isMade);
			throw toBookProblem(error);
		}
	}

	/**
	 * Does something with the table as {@link use} does, but once: in a table that was made anew, other rows have the IDs.
	 *
	 * @throws BookProblem
	 */
	async useOnce<T>(
		send: ApiSend,
		work: (table: TableApi) => Promise<T>,
		isMade: boolean,
	): Promise<T | undefined> {
		try {
			const { name, usedTables } = this;
			const wasUsed = usedTables.size > 0;
			this.opened ??= await this.open(send, isMade && !wasUsed);
			if (this.opened === undefined) {
				if (wasUsed) throw tableGone(name);
				return undefined;
			}
			usedTables.add(this.opened.id);
			return await work(new TableApi(send, this.opened));
		} catch (error) {
			const problem = toBookProblem(error);
			// The table may have been removed: it is looked for again.
			if (problem.status === 404) this.opened = undefined;
			throw problem;
		}
	}

	private async open(send: ApiSend, isMade: boolean): Promise<OpenTable | undefined> {
		const { name, usedTables } = this;
		const opened = await openTable(send, name, isMade ? 'ifFirst' : 'never', usedTables);
		if (opened?.isNew === false) await checkIsMeant(send, name, usedTables, opened);
		return opened;
	}

	private readonly askJoined = joined<Asked, BookAnswer>(ASKED_AT_ONCE, async (asked) => {
		const questions = asked.map(({ question }) => question);
		const isMade = questions.some(({ claim }) => claim !== undefined);
		const now = Date.now();
		const send = sendOf(asked);
		let tries = 0;
		const answerThem = async (table: TableApi) =>
			await answerAll(table, this.optOuts, questions, now, tries++ > 0);
		const answers = await again(async () => await this.use(send, answerThem, isMade));
		if (answers !== undefined) return answers;
		await again(async () => {
			await checkIsFirst(send, this.name);
		});
		return questions.map(() => NOTHING);
	});

	private readonly settleJoined = joined<Settled, { problem?: BookProblem }>(
		ASKED_AT_ONCE,
		async (settled) => {
			const problems = new Map<number, BookProblem>();
			const groups = groupsOf(settled);
			const workOff = async (): Promise<void> => {
				for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
					const problem = await this.settleAlike(group);
					if (problem) for (const { row } of group) problems.set(row, problem);
				}
			};
			await Promise.all(Array.from({ length: SETTLED_AT_ONCE }, workOff));
			return settled.map(({ row }) => {
				const problem = problems.get(row);
				return problem ? { problem } : {};
			});
		},
	);

	/** Settles contacts that ended alike. */
	private async settleAlike(settled: readonly Settled[]): Promise<BookProblem | undefined> {
		const rows = rowsWith(
			'id',
			settled.map(({ row }) => row),
		);
		const { values = {} } = settled[0] ?? {};
		try {
			const update = async (table: TableApi) => {
				await table.update(rows, values);
			};
			await again(async () => {
				await this.useOnce(sendOf(settled), update, false);
			});
			return undefined;
		} catch (error) {
			return toBookProblem(error);
		}
	}
}

/** Does something, some more times if n8n fails or does not answer. @throws BookProblem */
async function again<T>(work: () => Promise<T>, triesLeft = TRIES - 1): Promise<T> {
	try {
		return await work();
	} catch (error) {
		const problem = toBookProblem(error);
		if (triesLeft === 0 || !problem.mayPass) throw problem;
		await sleep(BETWEEN_TRIES);
		return await again(work, triesLeft - 1);
	}
}

const tableGone = (name: string): BookProblem =>
	new BookProblem(
		`The Data Table "${name}" is gone, and with it whom it remembered`,
		'Give it back its name, or restore it. To begin with a new, empty one, test the credential, which makes it.',
	);

/** What a book without a table says. */
const NOTHING: BookAnswer = { contacts: [], rivals: [], isOptedOut: false, claim: 'none' };

/** Those that ended alike go together. */
function groupsOf(settled: readonly Settled[]): Settled[][] {
	const groups = new Map<string, Settled[]>();
	for (const one of settled) {
		const key = JSON.stringify(one.values);
		groups.set(key, [...(groups.get(key) ?? []), one]);
	}
	return [...groups.values()];
}

const books = new Map<string, Book>();

/** The book of a credential; all runs of this process share it. */
export function bookOf({ api, apiKey, table }: BookCredential): Book {
	const key = digest(`${api} ${apiKey} ${table}`);
	const book = books.get(key) ?? new Book(table);
	books.set(key, book);
	return book;
}
