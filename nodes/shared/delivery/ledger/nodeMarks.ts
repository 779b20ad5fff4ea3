import { sleep } from 'n8n-workflow';

import { steadyNow } from '../../time/clock';

/**
 * When marks are read back at the earliest, in milliseconds: later than another process takes to read and write the row.
 * By chance up to twice as late, or two processes would overwrite each other in step.
 */
const READ_BACK_AFTER = 250;

/** Reading back costs no more than a twentieth of n8n's time, however long the row is. */
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

/** Adds marks to n8n's store of a node, and returns those that were there before; `undefined` if that failed. */
export type RecordMarks = (marks: string[]) => Promise<readonly string[] | undefined>;

/** Marks that are to be added. */
interface Request {
	readonly marks: readonly string[];
	readonly settle: (before: ReadonlySet<string> | undefined) => void;
}

/** The work of this process with the marks of one node, one piece after the other. */
class NodeMarks {
	/** The marks that another process may still overwrite. */
	private readonly unconfirmed = new Map<string, { found: number; readBacks: number }>();

	/** What is written together next. */
	private requests: Request[] = [];

	private turn: Promise<unknown> = Promise.resolve();

	/** How many runs wait for something. */
	private pending = 0;

	private isReadingBack = false;

	/** In milliseconds. */
	private readBackAfter = READ_BACK_AFTER;

	/** @param onIdle called when nothing is left to do */
	constructor(private readonly onIdle: () => void) {}

	/**
	 * Adds marks, and returns those that were there before; `undefined` if that failed. They are read back later, and
	 * written again if they are not there.
	 *
	 * @param madeUpFor which of them are written later if that failed
	 */
	async add(
		marks: readonly string[],
		madeUpFor: readonly string[],
		record: RecordMarks,
	): Promise<string[] | undefined> {
		this.pending++;
		const found = await this.request(marks, record);
		const before = new Set(
			marks.filter((mark) => found?.has(mark) === true || this.unconfirmed.has(mark)),
		);
		for (const mark of found === undefined ? madeUpFor : marks) {
			if (!before.has(mark)) this.unconfirmed.set(mark, { found: 0, readBacks: 0 });
		}
		this.pending--;
		if (!this.isReadingBack) void this.readBack(record);
		return found && [...before];
	}

	/** Takes marks back, after what was asked for before, and before what is asked for later. */
	async remove(marks: readonly string[], work: () => Promise<void>): Promise<void> {
		this.pending++;
		for (const mark of marks) this.unconfirmed.delete(mark);
		// What is asked for from now on is written after that.
		this.requests = [];
		await this.inTurn(work);
		this.pending--;
		this.checkIdle();
	}

	/** Looks for the marks that were added, and writes those again that another process has overwritten. */
	private async readBack(record: RecordMarks): Promise<void> {
		this.isReadingBack = true;
		while (this.unconfirmed.size > 0) {
			const written = [...this.unconfirmed.keys()];
			await sleep(this.readBackAfter * (1 + Math.random()));
			const kept = written.filter((mark) => this.unconfirmed.has(mark));
			if (kept.length === 0) continue;
			const found = await this.request(kept, record);
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

	/** What several ask for at the same moment is written together. */
	private async request(
		marks: readonly string[],
		record: RecordMarks,
	): Promise<ReadonlySet<string> | undefined> {
		return await new Promise((settle) => {
			const requests = this.requests;
			requests.push({ marks, settle });
			if (requests.length > 1) return;
			void this.inTurn(async () => {
				if (this.requests === requests) this.requests = [];
				await this.writeRequests(requests, record);
			});
		});
	}

	private async writeRequests(requests: readonly Request[], record: RecordMarks): Promise<void> {
		const begin = steadyNow();
		await recordAll(requests, record);
		const wanted = MIN_WAIT_PER_WRITE * (steadyNow() - begin);
		const longest = this.readBackAfter * GROWTH_OF_WAIT;
		this.readBackAfter = Math.max(READ_BACK_AFTER, Math.min(wanted, longest));
	}

	private async inTurn(work: () => Promise<void>): Promise<void> {
		this.turn = this.turn.then(work);
		await this.turn;
	}

	private checkIdle(): void {
		if (this.pending === 0 && !this.isReadingBack) this.onIdle();
	}
}

/** Records what several have asked for. Of two that mark the same, the second finds it marked. */
async function recordAll(requests: readonly Request[], record: RecordMarks): Promise<void> {
	const before = await record([...new Set(requests.flatMap(({ marks }) => marks))]);
	const known = new Set(before);
	for (const { marks, settle } of requests) {
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
export function marksOf(node: string): NodeMarks {
	const forget = () => {
		ofNodes.delete(node);
	};
	const marks = ofNodes.get(node) ?? new NodeMarks(forget);
	ofNodes.set(node, marks);
	return marks;
}
