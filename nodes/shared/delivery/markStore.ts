import { randomUUID } from 'crypto';
import { sleep, type ICheckProcessedOptions } from 'n8n-workflow';

import { nameOfNode } from '../host';
import { markWriters } from '../processState';
import { steadyNow } from '../time/clock';
import { joined } from '../time/queue';
import type { Run } from './run';

/** How many marks n8n keeps of a node: those of what it sent last. */
export const MAX_MARKS = 21_000;

/** How many items that need marks a run may have: all of them have to be found again. */
export const MAX_MARKED_ITEMS = 20_000;

const OPTIONS: ICheckProcessedOptions = { mode: 'entries', maxEntries: MAX_MARKS };

/** How many marks are removed at a time: n8n searches all marks for each of them. */
const REMOVED_AT_ONCE = 50;

/**
 * How long after its writing a mark has to be found, in milliseconds: longer than another process
 * takes to read and write the row. By chance up to twice that, lest two overwrite in step.
 */
const FOUND_AFTER = 250;

/** How often marks are repeated after an execution has wished for something. */
const MAX_REPEATS = 10;

/** How often it looks at most to acquire marks, while others overwrite them. */
const MAX_LOOKS = 10;

/** @param took how long the last write took: another process may be as slow */
const waitToLook = async (took: number): Promise<void> => {
	await sleep(Math.max(FOUND_AFTER, took) * (1 + Math.random()));
};

/** The marks that were there before; `undefined` if n8n cannot tell. */
type Found = ReadonlySet<string> | undefined;

/** The store as one execution reaches it. Both resolve to `undefined` if n8n fails. */
interface Access {
	readonly record: (marks: readonly string[]) => Promise<Found>;
	readonly remove: (marks: readonly string[]) => Promise<void>;
}

interface Wish {
	readonly access: Access;
	readonly add?: readonly string[];
	/** True if those that n8n could not keep are added with the next write. */
	readonly isSending?: boolean;
	readonly acquire?: readonly string[];
	readonly remove?: readonly string[];
}

/**
 * Writes the marks of one node for all executions of this process; simultaneous wishes go together.
 * n8n reads and writes all marks without a lock, so another process can overwrite one. So each is
 * repeated with the next write, or soon, until it is found there; also one that n8n could not keep.
 *
 * Limit: a process that takes longer than {@link FOUND_AFTER} and the last write can overwrite it.
 */
export class MarkWriter {
	/** The marks that were not found yet, with the time of their writing. */
	private readonly unconfirmed = new Map<string, number>();

	/** 0 while nothing is repeated. */
	private repeatsLeft = 0;

	/** How long n8n took for the last write, in milliseconds. */
	private took = 0;

	/** True if nothing is left to do. */
	get isIdle(): boolean {
		return this.unconfirmed.size === 0;
	}

	/** Does what an execution wishes; says which marks that it adds or acquires were there before. */
	async do(wish: Wish): Promise<Found> {
		const { found } = await this.ask(wish);
		const isRepeating = this.repeatsLeft > 0;
		this.repeatsLeft = MAX_REPEATS;
		if (!isRepeating) void this.repeat(wish.access);
		return found;
	}

	private async repeat(access: Access): Promise<void> {
		for (; this.repeatsLeft > 0 && this.unconfirmed.size > 0; this.repeatsLeft--) {
			await waitToLook(this.took);
			if (this.unconfirmed.size > 0) await this.ask({ access });
		}
		this.repeatsLeft = 0;
	}

	private readonly ask = joined<Wish, { readonly found: Found }>(Infinity, async (wishes) => {
		const [first] = wishes;
		if (first === undefined) return [];
		const { access } = first;
		const added = await this.addAll(access, wishes);
		const wanted = new Set(wishes.flatMap(({ acquire = [] }) => acquire));
		const others = await this.acquireAll(access, wanted);
		const removed = new Set(wishes.flatMap(({ remove = [] }) => remove));
		for (const mark of removed) this.unconfirmed.delete(mark);
		for (let rest = [...removed]; rest.length > 0; rest = rest.slice(REMOVED_AT_ONCE))
			await access.remove(rest.slice(0, REMOVED_AT_ONCE));
		return wishes.map(({ acquire }, place) => ({
			found: acquire ? others && new Set(acquire.filter((mark) => others.has(mark))) : added[place],
		}));
	});

	private async record(access: Access, marks: readonly string[]): Promise<Found> {
		const begunAt = steadyNow();
		const found = await access.record(marks);
		this.took = steadyNow() - begunAt;
		return found;
	}

	/** Adds the marks of all wishes, and those that were not found yet. */
	private async addAll(access: Access, wishes: readonly Wish[]): Promise<Found[]> {
		const repeated = [...this.unconfirmed];
		const asked = new Set(repeated.map(([mark]) => mark));
		for (const { add = [] } of wishes) for (const mark of add) asked.add(mark);
		if (asked.size === 0) return wishes.map(() => new Set());
		const found = await this.record(access, [...asked]);
		const writtenAt = steadyNow();
		const begunAt = writtenAt - this.took;
		for (const [mark, at] of repeated) {
			if (found?.has(mark) !== true) this.unconfirmed.set(mark, writtenAt);
			else if (begunAt - at >= Math.max(FOUND_AFTER, this.took)) this.unconfirmed.delete(mark);
		}
		// Of two that add a mark, the second finds it there; so does who adds an overwritten one.
		const known = new Set([...(found ?? []), ...repeated.map(([mark]) => mark)]);
		const before = wishes.map(({ add = [], isSending }) => {
			const there = add.filter((mark) => known.has(mark));
			for (const mark of add) {
				if (!known.has(mark) && (found || isSending)) this.unconfirmed.set(mark, writtenAt);
				known.add(mark);
			}
			return found && new Set(there);
		});
		for (const mark of this.unconfirmed.keys()) {
			if (this.unconfirmed.size <= MAX_MARKS) break;
			this.unconfirmed.delete(mark);
		}
		return before;
	}

	/**
	 * Adds marks unless one of them is there. Of processes that acquire a mark at the same moment, at
	 * most one finds none: each writes a mark of its own beside them. If that is there at the next
	 * look, nobody has overwritten the write; if it is gone, the marks are others'. Until then, this
	 * process writes nothing else for the node: it would overwrite another's row with its own.
	 *
	 * @returns those of others; none if they are acquired, `undefined` if n8n cannot tell
	 */
	private async acquireAll(access: Access, marks: ReadonlySet<string>): Promise<Found> {
		if (marks.size === 0) return marks;
		const own = randomUUID();
		let others: Found;
		let isTold = false;
		for (let looks = 0; looks < MAX_LOOKS && !isTold; looks++) {
			if (looks > 0) await waitToLook(this.took);
			const found = await this.record(access, [...marks, own]);
			if (found === undefined) break;
			isTold = looks > 0 && found.has(own);
			if (!isTold) others = new Set([...marks].filter((mark) => found.has(mark)));
			isTold ||= others?.size === marks.size;
		}
		// Asking has added those of those that failed, too, but for those of others.
		await access.remove([own]);
		if (!isTold) return undefined;
		for (const mark of marks)
			if (others?.has(mark) === false) this.unconfirmed.set(mark, steadyNow());
		return others;
	}
}

/**
 * The marks of a node where n8n keeps what it has seen ("deduplication"): in its database, at once,
 * whatever becomes of the execution. If n8n cannot keep marks, its log gets a warning.
 */
export class MarkStore {
	private readonly writer: MarkWriter;

	private readonly access: Access;

	constructor(context: Run['context']) {
		this.writer = markWriters.get(nameOfNode(context), () => new MarkWriter());
		const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
			try {
				// Twice: if two processes mark the first items of a node at once, n8n fails one of them.
				return await work().catch(work);
			} catch (error) {
				const reason = error instanceof Error ? error.message : 'unknown';
				// By default n8n prints the text alone.
				context.logger.warn(`n8n could not read or write the marks of what was sent: ${reason}`);
				return undefined;
			}
		};
		const { helpers } = context;
		this.access = {
			record: async (marks) =>
				await attempt(async () => {
					const { processed } = await helpers.checkProcessedAndRecord([...marks], 'node', OPTIONS);
					return new Set(processed.map(String));
				}),
			remove: async (marks) => {
				await attempt(async () => {
					await helpers.removeProcessed([...marks], 'node', OPTIONS);
				});
			},
		};
	}

	/** Adds marks; gives those there before. To send, what n8n could not keep is added later. */
	async add(add: readonly string[], isSending = true): Promise<Found> {
		return await this.writer.do({ access: this.access, add, isSending });
	}

	/** Adds marks unless one is there. Those who ask at the same moment get them all or none. */
	async acquire(acquire: readonly string[]): Promise<'held' | 'busy' | 'unreadable'> {
		const found = await this.writer.do({ access: this.access, acquire });
		if (found === undefined) return 'unreadable';
		if (found.size === 0) return 'held';
		// Asking has added those that were not there.
		await this.remove(acquire.filter((mark) => !found.has(mark)));
		return 'busy';
	}

	async remove(remove: readonly string[]): Promise<void> {
		if (remove.length > 0) await this.writer.do({ access: this.access, remove });
	}
}
