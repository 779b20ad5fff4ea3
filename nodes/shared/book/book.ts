import { sleep } from 'n8n-workflow';

import { ProcessState } from '../processState';
import type { BookCredential } from '../service/credential';
import { steadyNow } from '../time/clock';
import { joined } from '../time/queue';
import { digest } from '../values';
import { warnLater } from './bookTransport';
import { CallEnds } from './callEnds';
import { claimAll, type Asked, type Claimed, type Claiming } from './claims';
import type { RowValues } from './columns';
import { openTable } from './openTable';
import { OptOuts, type LostOptOuts } from './optOuts';
import { withRetries, toBookProblem, type BookProblem } from './bookProblem';
import { settleAll, type Settlement } from './settlements';
import { sendOf, TableApi, type ApiSend, type Asking, type BookAccess } from './tableApi';
import type { Seen } from './view';

/** How many are asked for at a time: their filter is part of an address. */
const AT_ONCE = 50;

/** The least pause before a contact that others claim is claimed anew, in milliseconds. Doubles. */
const FIRST_PAUSE = 100;
const LAST_PAUSE = 1_600;

/** A contact book for all runs of a process with its key. What they ask at once goes together. */
export class Book {
	/** What becomes of the contacts when their calls end. */
	readonly callEnds: CallEnds;

	private readonly lostOptOuts: LostOptOuts = new Set();

	/** By Max Wait: who waits for n8n's limit holds up nobody who does not. */
	private readonly claims = new ProcessState<(claiming: Claiming & Asking) => Promise<Claimed>>(
		100,
	);

	/** Resolves when all contacts are settled that were asked for. */
	settled: Promise<unknown> = Promise.resolve();

	constructor(readonly tableId: string) {
		this.callEnds = new CallEnds(tableId);
	}

	/** Looks at the rows of a number, and writes nothing. @throws BookProblem */
	async look(send: ApiSend, asked: Asked): Promise<Seen> {
		const nothing = { values: {}, isExclusive: false, mayClaim: () => undefined };
		return (await this.tryToClaim(send, { ...asked, ...nothing })).seen;
	}

	/** Claims a contact if its rows allow it; tries again if others claim it. @throws BookProblem */
	async claim(send: ApiSend, claiming: Claiming): Promise<Claimed> {
		for (let pause = FIRST_PAUSE; ; pause *= 2) {
			const startedAt = steadyNow();
			const { seen, claim, isLost } = await this.tryToClaim(send, claiming);
			if (isLost !== true || pause > LAST_PAUSE) return { seen, claim };
			// A slow n8n needs longer ones: shorter than an attempt, they part no two that began at once.
			await sleep(Math.max(pause, steadyNow() - startedAt) * (1 + Math.random()));
		}
	}

	/** Writes what became of a contact. Returns the problem of a third failure: it stays claimed. */
	async settle(send: ApiSend, claim: string, values: RowValues): Promise<BookProblem | undefined> {
		const failed = (error: unknown) => ({ problem: toBookProblem(error) });
		const settled = this.settleJoined({ send, claim, values }).catch(failed);
		this.settled = settled;
		const { problem } = await settled;
		if (problem)
			warnLater(
				`What became of a contact could not be written into the contact book: it stays "claimed" (contactId ${String(values.contactId)}, claim ${claim}). ${problem.message}`,
			);
		return problem;
	}

	private async tryToClaim(send: ApiSend, claiming: Claiming): Promise<Claimed> {
		const { maxWait } = claiming;
		const joinedClaims = this.claims.get(String(maxWait), () => {
			const optOuts = new OptOuts(this.lostOptOuts);
			return this.join((table, claimings) => claimAll(table, optOuts, claimings));
		});
		return await joinedClaims({ send, until: steadyNow() + maxWait, ...claiming });
	}

	private readonly settleJoined = this.join((table, settlements: readonly Settlement[]) =>
		settleAll(table, this.lostOptOuts, settlements),
	);

	private join<Question, Answer>(
		work: (table: TableApi, asked: readonly Question[]) => Promise<readonly Answer[]>,
	) {
		return joined(AT_ONCE, (asked: readonly (Question & Asking)[]) =>
			work(new TableApi(sendOf(asked), this.tableId), asked),
		);
	}
}

/** By key and ID of the table. */
const books = new ProcessState<Book>(100);

/** What opens them, by credential and Max Wait: executions that begin at once ask together. */
const bookOpeners = new ProcessState<(of: Asking) => Promise<Book>>(100);

/**
 * Opens the table of a credential, by its name or ID as of now. All runs of this process share it.
 * @param maxWait how long it waits for n8n's limit, in milliseconds
 * @throws BookProblem if it cannot be used
 */
export async function openBook(access: BookAccess, maxWait = Infinity): Promise<Book> {
	const { api, apiKey, table, send } = access;
	const name = [api, apiKey, table, maxWait].join(' ');
	const open = bookOpeners.get(digest(name), () => opener(access));
	return await open({ send, until: steadyNow() + maxWait });
}

const opener = ({ api, apiKey, table }: BookCredential) =>
	joined(AT_ONCE, async (asked: readonly Asking[]) => {
		const tableId = await withRetries(() => openTable(sendOf(asked), table));
		const key = digest(`${api} ${apiKey} ${tableId}`);
		const book = books.get(key, () => new Book(tableId));
		return asked.map(() => book);
	});
