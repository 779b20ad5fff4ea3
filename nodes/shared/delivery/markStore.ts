import { randomUUID } from 'crypto';
import { sleep, type ICheckProcessedOptions, type IExecuteFunctions } from 'n8n-workflow';

import { joined } from '../book/joined';
import { nameOfNode } from '../nameOfNode';
import { markWriters } from '../processState';
import { steadyNow } from '../time/clock';

/** How many marks n8n keeps of a node: those of what it sent last. */
export const MAX_MARKS = 21_000;

/** How many items that need marks a run may have: all of them have to be found again. */
export const MAX_MARKED_ITEMS = 20_000;

const OPTIONS: ICheckProcessedOptions = { mode: 'entries', maxEntries: MAX_MARKS };

/** How many marks are removed at a time: n8n searches all marks for each of them. */
const REMOVED_AT_ONCE = 50;

/**
 * How long after its writing a mark has to be found, in milliseconds: later than another process takes to read and write the
 * row. By chance up to twice as long, or two processes would overwrite each other in step.
 */
const FOUND_AFTER = 250;

/** How often marks are repeated if nothing else is written. */
const MAX_REPEATS = 10;

/** How often a claim looks at most, while others overwrite it. */
const MAX_LOOKS = 10;

const waitToLook = async (): Promise<void> => {
	await sleep(FOUND_AFTER * (1 + Math.random()));
};

/** Which marks later writes of the process repeat until one of them finds them: also those that n8n could not keep. */
type Repeat = 'ifKept' | 'always';

/** The store as one execution reaches it. Both reject, or resolve to `undefined`, if n8n cannot keep marks. */
interface Access {
	readonly record: (marks: string[]) => Promise<readonly string[] | undefined>;
	readonly remove: (marks: string[]) => Promise<void>;
}

interface Wish {
	readonly access: Access;
	readonly add: readonly string[];
	readonly repeat?: Repeat;
	readonly remove?: readonly string[];
	readonly claim?: readonly string[];
}

/** The marks that were there before; `undefined` if n8n cannot tell. */
type Found = ReadonlySet<string> | undefined;

/**
 * Writes the marks of one node for all executions of this process; what they wish for at the same moment goes together. n8n
 * reads and writes all marks of a node without a lock, so another process can overwrite a mark. So each is repeated with what
 * is written later, or soon if nothing is, until it is found there.
 *
 * Limit: a process that takes longer than {@link FOUND_AFTER} between reading and writing can overwrite what was found.
 */
export class MarkWriter {
	/** The marks that were not found yet, with the time of their writing. */
	private readonly unconfirmed = new Map<string, number>();

	private isRepeating = false;

	/** True if nothing is left to do. */
	get isIdle(): boolean {
		return this.unconfirmed.size === 0;
	}

	/** Adds marks, and says which were there before. */
	async add(access: Access, add: readonly string[], repeat: Repeat): Promise<Found> {
		const { found } = await this.ask({ access, add, repeat });
		void this.repeat(access);
		return found;
	}

	/**
	 * Adds marks unless one of them is there. Of several processes that claim a mark at the same moment, at most one finds none:
	 * each writes a mark of its own beside them. If that one is there when it looks again, nobody has overwritten the write; if
	 * it is gone, the marks are others'. Until then, this process writes nothing else for the node: it would carry its own version
	 * of the row over that of another process.
	 *
	 * @returns those of others; none if they are claimed, `undefined` if n8n cannot tell
	 */
	async claim(access: Access, claim: readonly string[]): Promise<Found> {
		const { found } = await this.ask({ access, add: [], claim });
		if (found?.size === 0) for (const mark of claim) this.unconfirmed.set(mark, steadyNow());
		void this.repeat(access);
		return found;
	}

	async remove(access: Access, remove: readonly string[]): Promise<void> {
		for (const mark of remove) this.unconfirmed.delete(mark);
		await this.ask({ access, add: [], remove });
	}

	private async repeat(access: Access): Promise<void> {
		if (this.isRepeating) return;
		this.isRepeating = true;
		for (let times = 0; times < MAX_REPEATS && this.unconfirmed.size > 0; times++) {
			await waitToLook();
			if (this.unconfirmed.size > 0) await this.ask({ access, add: [] });
		}
		this.isRepeating = false;
	}

	private readonly ask = joined<Wish, { readonly found: Found }>(Infinity, async (wishes) => {
		const [first] = wishes;
		if (first === undefined) return [];
		const { access } = first;
		const added = await this.addAll(access, wishes);
		const claimed = await this.claimAll(access, new Set(wishes.flatMap(({ claim = [] }) => claim)));
		const removed = new Set(wishes.flatMap(({ remove = [] }) => remove));
		for (const mark of removed) this.unconfirmed.delete(mark);
		for (let rest = [...removed]; rest.length > 0; rest = rest.slice(REMOVED_AT_ONCE))
			await access.remove(rest.slice(0, REMOVED_AT_ONCE));
		return wishes.map(({ claim }, place) => ({
			found: claim ? claimed && new Set(claim.filter((mark) => claimed.has(mark))) : added[place],
		}));
	});

	/** Adds the marks of all wishes, and those that were not found yet. */
	private async addAll(access: Access, wishes: readonly Wish[]): Promise<Found[]> {
		const repeated = [...this.unconfirmed];
		const asked = new Set([...this.unconfirmed.keys(), ...wishes.flatMap(({ add }) => add)]);
		if (asked.size === 0) return wishes.map(() => new Set());
		const writtenAt = steadyNow();
		const kept = await access.record([...asked]);
		const isThere = new Set(kept);
		for (const [mark, at] of repeated) {
			if (!this.unconfirmed.has(mark)) continue;
			if (!isThere.has(mark)) this.unconfirmed.set(mark, writtenAt);
			else if (writtenAt - at >= FOUND_AFTER) this.unconfirmed.delete(mark);
		}
		// Of two that add the same mark, the second finds it there; and so does who adds one that was overwritten.
		const known = new Set([...isThere, ...repeated.map(([mark]) => mark)]);
		const found = wishes.map(({ add, repeat }) => {
			const before = kept && new Set(add.filter((mark) => known.has(mark)));
			for (const mark of add) {
				if (!known.has(mark) && (kept || repeat === 'always'))
					this.unconfirmed.set(mark, writtenAt);
				if (kept) known.add(mark);
			}
			return before;
		});
		for (const mark of this.unconfirmed.keys()) {
			if (this.unconfirmed.size <= MAX_MARKS) break;
			this.unconfirmed.delete(mark);
		}
		return found;
	}

	/** Claims marks together; see {@link claim}. */
	private async claimAll(access: Access, wanted: ReadonlySet<string>): Promise<Found> {
		if (wanted.size === 0) return new Set();
		const own = randomUUID();
		const marks = [...wanted];
		let others: Set<string> | undefined;
		for (let look = 0; look < MAX_LOOKS; look++) {
			const found = await access.record([...marks, own]);
			if (found === undefined) break;
			const isOver = look > 0 && found.includes(own);
			if (!isOver) others = new Set(marks.filter((mark) => found.includes(mark)));
			if (isOver || others?.size === marks.length) {
				// Asking has added those of the claims that failed, too, but for those of others.
				await access.remove([own]);
				return others;
			}
			await waitToLook();
		}
		await access.remove([own]);
		return undefined;
	}
}

/**
 * The marks of a node where n8n keeps what it has seen ("deduplication"): in its database, at once, whatever becomes of the
 * execution. If n8n cannot keep marks, a warning goes to its log.
 */
export class MarkStore {
	private readonly writer: MarkWriter;

	private readonly access: Access;

	constructor(context: IExecuteFunctions) {
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
					const { processed } = await helpers.checkProcessedAndRecord(marks, 'node', OPTIONS);
					return processed.map(String);
				}),
			remove: async (marks) => {
				await attempt(async () => {
					await helpers.removeProcessed(marks, 'node', OPTIONS);
				});
			},
		};
	}

	/**
	 * Adds marks, and returns those that were there before; `undefined` if n8n could not keep them.
	 *
	 * @param isAddedLater true if they are added later then, with what the process writes next
	 */
	async add(marks: readonly string[], isAddedLater = false): Promise<Found> {
		return await this.writer.add(this.access, marks, isAddedLater ? 'always' : 'ifKept');
	}

	/** Adds marks unless one of them is there; see {@link MarkWriter.claim}. Who claims at the same moment gets them all or none. */
	async claim(marks: readonly string[]): Promise<'held' | 'taken' | 'unreadable'> {
		const found = await this.writer.claim(this.access, marks);
		if (found === undefined) return 'unreadable';
		if (found.size === 0) return 'held';
		// Asking has added those that were not there.
		await this.remove(marks.filter((mark) => !found.has(mark)));
		return 'taken';
	}

	async remove(marks: readonly string[]): Promise<void> {
		if (marks.length > 0) await this.writer.remove(this.access, marks);
	}
}
