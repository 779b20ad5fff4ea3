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
 * The contact book of one credential, for all runs of this process. What they ask at the same time goes together, so that
 * many executions at once cost few requests.
 */
export class Book {
	/** What becomes of the contacts when their calls end. */
	readonly callEnds = new CallEnds(this);

	private readonly optOuts = new OptOuts();

	/** The ID of the table, once it was found. */
	private tableId: string | undefined;

	/** @param name the name or the ID of the table */
	constructor(private readonly name: string) {}

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
	 * Does something with the table; again if it turns out that the table is another one by now.
	 *
	 * @throws BookProblem
	 */
	async use<T>(send: ApiSend, work: (table: TableApi) => Promise<T>): Promise<T> {
		const wasKnown = this.tableId !== undefined;
		try {
			return await this.useOnce(send, work);
		} catch (error) {
			if (wasKnown && this.tableId === undefined) return await this.useOnce(send, work);
			throw toBookProblem(error);
		}
	}

	/**
	 * Does something with the table as {@link use} does, but once: in a table that was made anew, other rows have the IDs.
	 *
	 * @throws BookProblem
	 */
	async useOnce<T>(send: ApiSend, work: (table: TableApi) => Promise<T>): Promise<T> {
		try {
			this.tableId ??= await openTable(send, this.name);
			return await work(new TableApi(send, this.tableId));
		} catch (error) {
			const problem = toBookProblem(error);
			// The table may have been removed: it is looked for again.
			if (problem.status === 404) this.tableId = undefined;
			throw problem;
		}
	}

	private readonly askJoined = joined<Asked, BookAnswer>(ASKED_AT_ONCE, async (asked) => {
		const questions = asked.map(({ question }) => question);
		const now = Date.now();
		let tries = 0;
		const answerThem = async (table: TableApi) =>
			await answerAll(table, this.optOuts, questions, now, tries++ > 0);
		return await again(async () => await this.use(sendOf(asked), answerThem));
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
				await this.useOnce(sendOf(settled), update);
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

/** The book of a credential; all runs of this process share it. */
export function bookOf({ api, apiKey, table }: BookCredential): Book {
	const key = digest(`${api} ${apiKey} ${table}`);
	const book = books.get(key) ?? new Book(table);
	books.set(key, book);
	return book;
}
