import { sleep } from 'n8n-workflow';

import { steadyNow } from '../../time/clock';

/**
 * When marks are read back at the earliest, in milliseconds: later than another process takes to read and write the row.
 * By chance up to twice as late, or two processes would overwrite each other in step.
 */
const READ_BACK_AFTER = 250;

/** By how many times the last write marks are read back later, so that this costs a twentieth of n8n's time at most. */
const MIN_WAIT_PER_WRITE = 20;

/**
 * How fast the wait adapts to slow writes, for each of them. A few slow ones at the start of a burst, when n8n is busy
 * or another process writes, must not postpone reading back; a long row makes all of them slow.
 */
const GROWTH_OF_WAIT = 1.1;

/**
 * How often in a row a mark has to be found. Once is not enough: while two processes write in turn, a mark comes and goes.
 */
const CONFIRMED_AFTER = 2;

/** How often a mark is read back at most, and written again if it is gone. */
const MAX_READ_BACKS = 10;

/** How often a claim looks at most, while others overwrite it or n8n's database is away. */
const MAX_LOOKS = 10;

/** How long a claim waits before it looks: at least, at most, and by how many times its own write. */
const LOOK_AFTER = { least: READ_BACK_AFTER, most: 2_000, perWrite: 5 };

/** Adds marks to n8n's store of a node, and returns those that were there before; `undefined` if that failed. */
export type RecordMarks = (marks: string[]) => Promise<readonly string[] | undefined>;

/** Marks that a run wants to add. */
interface PendingWrite {
	readonly marks: readonly string[];
	readonly settle: (before: ReadonlySet<string> | undefined) => void;
}

/** The work of this process with the marks of one node, one piece after the other. */
class NodeMarks {
	/** The marks that another process may still overwrite. */
	private readonly unconfirmed = new Map<string, { found: number; readBacks: number }>();

	/** What is written together next. */
	private next: PendingWrite[] = [];

	/** Ends when the last piece of work that was asked for has ended. */
	private lastWork: Promise<unknown> = Promise.resolve();

	/** How many calls of {@link add}, {@link claim} and {@link remove} have not ended. */
	private pending = 0;

	private isReadingBack = false;

	/** At present, in milliseconds: see {@link READ_BACK_AFTER}. */
	private readBackAfter = READ_BACK_AFTER;

	/** @param onIdle called when nothing is left to do */
	constructor(private readonly onIdle: () => void) {}

	/**
	 * Adds marks, and returns those that were there before; `undefined` if that failed. They are read back later, and
	 * written again if they are not there.
	 *
	 * @param addLater which of them are added later if that failed, by the reading back
	 */
	async add(
		marks: readonly string[],
		addLater: readonly string[],
		record: RecordMarks,
	): Promise<string[] | undefined> {
		this.pending++;
		const found = await this.write(marks, record);
		const before = new Set(
			marks.filter((mark) => found?.has(mark) === true || this.unconfirmed.has(mark)),
		);
		for (const mark of found === undefined ? addLater : marks) {
			if (!before.has(mark)) this.unconfirmed.set(mark, { found: 0, readBacks: 0 });
		}
		this.pending--;
		if (!this.isReadingBack) void this.readBack(record);
		return found && [...before];
	}

	/**
	 * Adds marks, and returns those that were there before; `undefined` if that failed. Of several processes that claim a mark
	 * at the same moment, at most one is told that it was not there: each writes a mark of its own beside it. If that one is
	 * there when it looks again, nobody has overwritten the write; if it is gone, the marks are others'. Until then, this
	 * process writes nothing else: it would carry its own version of the row over that of another process.
	 *
	 * Limit: holds if other processes take less time between reading and writing than this one waits (see {@link waitToLook});
	 * of three or more, a small part of it. All of them can be told that the marks are others'.
	 *
	 * @param own the mark of this claim, which nobody else knows
	 */
	async claim(
		marks: readonly string[],
		own: string,
		record: RecordMarks,
	): Promise<string[] | undefined> {
		this.pending++;
		const before = await this.inTurn(async () => await this.claimAlone(marks, own, record));
		const known = new Set(before ?? marks);
		for (const mark of marks) {
			if (!known.has(mark)) this.unconfirmed.set(mark, { found: 1, readBacks: 0 });
		}
		this.pending--;
		if (!this.isReadingBack) void this.readBack(record);
		return before;
	}

	/** Removes marks by this work, after what was asked for before, and before what is asked for later. */
	async remove(marks: readonly string[], work: () => Promise<void>): Promise<void> {
		this.pending++;
		for (const mark of marks) this.unconfirmed.delete(mark);
		// So that what is asked for from now on is not written together with what was asked for before.
		this.next = [];
		await this.inTurn(work);
		this.pending--;
		this.checkIdle();
	}

	private async claimAlone(
		marks: readonly string[],
		own: string,
		record: RecordMarks,
	): Promise<string[] | undefined> {
		let before: string[] | undefined;
		for (let look = 0; look < MAX_LOOKS; look++) {
			const startedAt = steadyNow();
			const found = await record([...marks, own]);
			// Nothing was written, as far as n8n can tell. Later, n8n is asked again: whose the marks are has to be known.
			if (found === undefined && before === undefined) return undefined;
			const known = new Set(found);
			if (before !== undefined && known.has(own)) return before;
			if (found) before = marks.filter((mark) => known.has(mark) || this.unconfirmed.has(mark));
			if (before?.length === marks.length) return before;
			await waitToLook(steadyNow() - startedAt);
		}
		return undefined;
	}

	/** Looks for the marks that were added, and writes those again that another process has overwritten. */
	private async readBack(record: RecordMarks): Promise<void> {
		this.isReadingBack = true;
		while (this.unconfirmed.size > 0) {
			const written = [...this.unconfirmed.keys()];
			await sleep(this.readBackAfter * (1 + Math.random()));
			const kept = written.filter((mark) => this.unconfirmed.has(mark));
			if (kept.length === 0) continue;
			const found = await this.write(kept, record);
			for (const mark of kept) this.confirm(mark, found?.has(mark) === true);
		}
		this.isReadingBack = false;
		this.checkIdle();
	}

	private confirm(mark: string, isThere: boolean): void {
		const state = this.unconfirmed.get(mark);
		if (state === undefined) return;
		state.found = isThere ? state.found + 1 : 0;
		const isOver = state.found === CONFIRMED_AFTER || ++state.readBacks === MAX_READ_BACKS;
		if (isOver) this.unconfirmed.delete(mark);
	}

	/** Adds marks, together with those that others add at the same moment. Returns those that were there before. */
	private async write(
		marks: readonly string[],
		record: RecordMarks,
	): Promise<ReadonlySet<string> | undefined> {
		return await new Promise((settle) => {
			const writes = this.next;
			writes.push({ marks, settle });
			if (writes.length > 1) return;
			void this.inTurn(async () => {
				if (this.next === writes) this.next = [];
				await this.writeAll(writes, record);
			});
		});
	}

	/** The slower n8n writes, the later marks are read back. */
	private async writeAll(writes: readonly PendingWrite[], record: RecordMarks): Promise<void> {
		const startedAt = steadyNow();
		await recordAll(writes, record);
		const wanted = MIN_WAIT_PER_WRITE * (steadyNow() - startedAt);
		const longest = this.readBackAfter * GROWTH_OF_WAIT;
		this.readBackAfter = Math.max(READ_BACK_AFTER, Math.min(wanted, longest));
	}

	private async inTurn<T>(work: () => Promise<T>): Promise<T> {
		const done = this.lastWork.then(work);
		this.lastWork = done;
		return await done;
	}

	private checkIdle(): void {
		if (this.pending === 0 && !this.isReadingBack) this.onIdle();
	}
}

/** Waits for what another process has read before this one's write, which took so long; by chance up to twice as long. */
async function waitToLook(milliseconds: number): Promise<void> {
	const { least, most, perWrite } = LOOK_AFTER;
	await sleep(Math.min(most, Math.max(least, perWrite * milliseconds)) * (1 + Math.random()));
}

/** Records several writes as one. Of two that add the same mark, the second finds it there. */
async function recordAll(writes: readonly PendingWrite[], record: RecordMarks): Promise<void> {
	const before = await record([...new Set(writes.flatMap(({ marks }) => marks))]);
	const known = new Set(before);
	for (const { marks, settle } of writes) {
		if (before === undefined) {
			settle(undefined);
			continue;
		}
		settle(new Set(marks.filter((mark) => known.has(mark))));
		for (const mark of marks) known.add(mark);
	}
}

const ofNodes = new Map<string, NodeMarks>();

/** The work of this process with the marks of a node. */
export function nodeMarksOf(node: string): NodeMarks {
	const forget = () => {
		ofNodes.delete(node);
	};
	const marks = ofNodes.get(node) ?? new NodeMarks(forget);
	ofNodes.set(node, marks);
	return marks;
}
