import { sleep } from 'n8n-workflow';

import type { BookCredential } from '../request/credential';
import { digest } from '../values';
import { answerAll } from './claims';
import type { RowValues } from './columns';
import { CallEnds } from './callEnds';
import { joined } from './joined';
import { openTable } from './openTable';
import { OptOuts } from './optOuts';
import { toBookProblem, type BookProblem } from './problem';
import type { BookAnswer, BookQuestion } from './question';
import { rowsWith, sendOf, TableApi, type ApiSend } from './tableApi';

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
 * One table that is a contact book, for all runs of this process with the same key. What they ask at the same time goes
 * together, so that many executions at once cost few requests.
 */
export class Book {
	/** What becomes of the contacts when their calls end. */
	readonly callEnds: CallEnds;

	private readonly optOuts = new OptOuts();

	constructor(private readonly tableId: string) {
		this.callEnds = new CallEnds(tableId);
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

	private readonly askJoined = joined<Asked, BookAnswer>(ASKED_AT_ONCE, async (asked) => {
		const questions = asked.map(({ question }) => question);
		const now = Date.now();
		let tries = 0;
		const table = new TableApi(sendOf(asked), this.tableId);
		return await again(
			async () => await answerAll(table, this.optOuts, questions, now, tries++ > 0),
		);
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
			const table = new TableApi(sendOf(settled), this.tableId);
			await again(async () => {
				await table.update(rows, values);
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

/** What asks n8n for the ID of a table, by the credential. */
const searches = new Map<string, (send: ApiSend) => Promise<string>>();

/**
 * Opens the book of a credential: the table that has this name, or this ID, at this moment. All runs of this process share it.
 *
 * @throws BookProblem if it cannot be used
 */
export async function openBook(
	send: ApiSend,
	{ api, apiKey, table }: BookCredential,
): Promise<Book> {
	const key = digest(`${api} ${apiKey} ${table}`);
	const search = searches.get(key) ?? searchFor(table);
	searches.set(key, search);
	const tableId = await search(send);
	const name = digest(`${api} ${apiKey} ${tableId}`);
	const book = books.get(name) ?? new Book(tableId);
	books.set(name, book);
	return book;
}

/** Many executions that begin at once ask together. */
const searchFor = (table: string): ((send: ApiSend) => Promise<string>) =>
	joined(ASKED_AT_ONCE, async (sends: readonly ApiSend[]) => {
		const send = sendOf(sends.map((one) => ({ send: one })));
		const tableId = await again(async () => await openTable(send, table));
		return sends.map(() => tableId);
	});
