import { randomUUID } from 'crypto';
import {
	sleep,
	type DeduplicationHelperFunctions,
	type ICheckProcessedOptions,
} from 'n8n-workflow';

import { steadyNow } from '../time/clock';
import { joined } from '../time/queue';

/** How many marks n8n keeps of a node: those of what it sent last. */
const MAX_MARKS = 21_000;

const OPTIONS: ICheckProcessedOptions = { mode: 'entries', maxEntries: MAX_MARKS };

/** How many marks are removed at a time: n8n searches all marks for each of them. */
const REMOVED_AT_ONCE = 50;

/**
 * How long after its writing a mark has to be found, in milliseconds: longer than another process
 * takes to read and write the row. By chance up to twice that, lest two overwrite in step.
 */
const FOUND_AFTER = 250;

/** The same if marks come at least so often: then the next ones find it, in a write that is due. */
const STEADY = 3_000;

/** How often marks are repeated at most after a wish; and looked at, if others overwrite them. */
const MAX_LOOKS = 10;

/** @param took how long the last write took: another process may be as slow */
const pauseOf = (least: number, took: number): number =>
	Math.max(least, took) * (1 + Math.random());

/** The marks that were there before; `undefined` if n8n cannot tell. */
export type FoundMarks = ReadonlySet<string> | undefined;

/** What n8n offers to remember what a node has seen. */
export type Deduplication = Pick<
	DeduplicationHelperFunctions,
	'checkProcessedAndRecord' | 'removeProcessed'
>;

/** Where n8n keeps the marks of a node. */
export interface MarkTable {
	/** Has n8n do something; no answer if it fails twice, or is not done in time. */
	attempt<T>(
		work: (n8n: Deduplication) => Promise<T>,
	): Promise<{ readonly answer?: T; readonly isRepeated: boolean }>;
}

interface Wish {
	readonly store: MarkTable;
	readonly add?: readonly string[];
	/** True of a first run, which sends: what n8n could not keep is added with the next write. */
	readonly isSending?: boolean;
	readonly acquire?: readonly string[];
	readonly remove?: readonly string[];
}

/**
 * Writes the marks of one node for all executions of this process; simultaneous wishes go together.
 * n8n reads and writes all marks without a lock, so another process can overwrite one. So each is
 * repeated with the next write, or soon, until it is found there; also one that n8n could not keep.
 */
export class MarkWriter {
	/** The marks that are to be found, with the time of their writing; Infinity once they were. */
	private readonly unconfirmed = new Map<string, number>();

	/** When somebody last wished for marks; how many calls n8n may still do on an older row. */
	private lastWish = { at: 0 };
	private lateCalls = 0;

	/** In milliseconds: how long n8n took for the last write, its end, and the least pause then. */
	private took = 0;
	private writtenAt = 0;
	private pause = FOUND_AFTER;

	get isIdle(): boolean {
		return this.unconfirmed.size + this.lateCalls === 0;
	}

	/** Does what an execution wishes; says which marks that it adds or acquires were there before. */
	async do(wish: Wish): Promise<FoundMarks> {
		const thisWish = { at: wish.add ? steadyNow() : this.lastWish.at };
		const since = thisWish.at - this.lastWish.at;
		this.lastWish = thisWish;
		// Those of a burst count as one.
		if (since > FOUND_AFTER) this.pause = since < STEADY ? STEADY : FOUND_AFTER;
		const { foundMarks } = await this.ask(wish);
		void this.repeat(wish.store, thisWish);
		return foundMarks;
	}

	/** Repeats what was found since a call began that has not settled in time, when it has. */
	async follow(store: MarkTable, call: Promise<unknown>): Promise<void> {
		this.lateCalls++;
		await Promise.allSettled([call]);
		this.lateCalls--;
		for (const mark of this.unconfirmed.keys()) this.unconfirmed.set(mark, steadyNow());
		await this.do({ store });
	}

	/** Repeats marks until they are found, or somebody wishes for something. */
	private async repeat(store: MarkTable, wish: { readonly at: number }): Promise<void> {
		for (let left = MAX_LOOKS; left > 0 && this.open().size > 0; left--) {
			await sleep(pauseOf(this.pause, this.took));
			if (wish !== this.lastWish) return;
			await this.ask({ store });
		}
	}

	/** Gives the marks that were not found yet, and forgets others. */
	private open(): Map<string, number> {
		for (const [mark, at] of this.unconfirmed) {
			const isSafe = at === Infinity && this.lateCalls === 0;
			if (isSafe || this.unconfirmed.size > MAX_MARKS) this.unconfirmed.delete(mark);
		}
		return new Map([...this.unconfirmed].filter(([, at]) => at < Infinity));
	}

	private readonly ask = joined<Wish, { foundMarks: FoundMarks }>(Infinity, async (wishes) => {
		const store = wishes[0]?.store;
		if (store === undefined) return [];
		const added = await this.addAll(store, wishes);
		const wanted = new Set(wishes.flatMap(({ acquire = [] }) => acquire));
		const ofOthers = await this.acquireAll(store, wanted);
		await this.removeAll(store, new Set(wishes.flatMap(({ remove = [] }) => remove)));
		return wishes.map(({ acquire }, place) => {
			const acquired = ofOthers && new Set(acquire?.filter((mark) => ofOthers.has(mark)));
			return { foundMarks: acquire ? acquired : added[place] };
		});
	});

	/** Adds marks; gives those that n8n finds, and those that were certainly there before. */
	private async record(store: MarkTable, marks: readonly string[]) {
		const begunAt = steadyNow();
		const { answer, isRepeated } = await store.attempt(async (n8n) =>
			n8n.checkProcessedAndRecord([...marks], 'node', OPTIONS),
		);
		this.writtenAt = steadyNow();
		if (answer) this.took = this.writtenAt - begunAt;
		const foundMarks = answer && new Set(answer.processed.map(String));
		// A write whose answer was lost finds all that it has written.
		const isOfThisWrite = isRepeated && marks.every((mark) => foundMarks?.has(mark));
		return { foundMarks, earlierMarks: isOfThisWrite ? undefined : foundMarks };
	}

	/** Adds the marks of all wishes, and those that were not found yet. */
	private async addAll(store: MarkTable, wishes: readonly Wish[]): Promise<FoundMarks[]> {
		const toRepeat = this.open();
		const addedMarks = new Set(this.unconfirmed.keys());
		const asked = new Set([...toRepeat.keys(), ...wishes.flatMap(({ add = [] }) => add)]);
		if (asked.size === 0) return wishes.map(() => asked);
		const { foundMarks, earlierMarks } = await this.record(store, [...asked]);
		for (const [mark, at] of toRepeat) {
			const age = this.writtenAt - this.took - at;
			if (earlierMarks?.has(mark) !== true) this.unconfirmed.set(mark, this.writtenAt);
			else if (age >= Math.max(FOUND_AFTER, this.took)) this.unconfirmed.set(mark, Infinity);
		}
		// Of two that add a mark, the second finds it there; so does who adds an overwritten one.
		return wishes.map(({ add = [], isSending }) => {
			// A retry does not send what may be of this write.
			const earlier = isSending ? earlierMarks : foundMarks;
			const marksAlreadyThere = new Set(
				add.filter((mark) => addedMarks.has(mark) || earlier?.has(mark) === true),
			);
			for (const mark of add) {
				if (!marksAlreadyThere.has(mark) && (foundMarks || isSending))
					this.unconfirmed.set(mark, this.writtenAt);
				addedMarks.add(mark);
			}
			return foundMarks && marksAlreadyThere;
		});
	}

	/**
	 * Adds marks unless one of them is there. Of processes that acquire a mark at the same moment, at
	 * most one finds none: each writes a mark of its own beside them. If that is there at the next
	 * look, nobody has overwritten the write; if it is gone, the marks are others'. Until then, this
	 * process writes nothing else for the node: it would overwrite another's row with its own.
	 *
	 * @returns those of others; none if they are acquired, `undefined` if n8n cannot tell
	 */
	private async acquireAll(store: MarkTable, marks: ReadonlySet<string>): Promise<FoundMarks> {
		if (marks.size === 0) return marks;
		const witness = randomUUID();
		let marksOfOthers: FoundMarks;
		let isDecided = false;
		for (let looks = 0; looks < MAX_LOOKS && !isDecided; looks++) {
			if (looks > 0) await sleep(pauseOf(FOUND_AFTER, this.took));
			const { foundMarks, earlierMarks } = await this.record(store, [...marks, witness]);
			if (foundMarks === undefined) break;
			isDecided = looks > 0 && earlierMarks?.has(witness) === true;
			if (!isDecided) marksOfOthers = new Set([...marks].filter((mark) => foundMarks.has(mark)));
			isDecided ||= marksOfOthers?.size === marks.size;
		}
		// Asking has added those of those that failed, too, but for those of others.
		await this.removeAll(store, new Set([witness]));
		if (!isDecided) return undefined;
		for (const mark of marks)
			if (marksOfOthers?.has(mark) === false) this.unconfirmed.set(mark, steadyNow());
		return marksOfOthers;
	}

	private async removeAll(store: MarkTable, marks: ReadonlySet<string>): Promise<void> {
		for (const mark of marks) this.unconfirmed.delete(mark);
		const left = [...marks];
		while (left.length > 0) {
			const part = left.splice(0, REMOVED_AT_ONCE);
			await store.attempt(async (n8n) => n8n.removeProcessed(part, 'node', OPTIONS));
		}
	}
}
