import type { IDataObject } from 'n8n-workflow';

import { createFailure, type Failure } from '../../answer/failure';
import { isObject } from '../../values';
import type { KeysToSend } from '../../request/itemKeys';
import { isUnsendable, type Planned } from '../../request/planned';
import { isAccepted, mayHaveBeenSent, type RunResult } from '../result';
import { matchItems } from './matching';
import { isRun, type Note, type NotedRow, type Run } from './note';
import { addSibling, growByAnswer, joinSiblings, type Siblings } from './siblings';

const STORE_KEY = 'deliveries';

/** All calls of a tool in one execution share a run; its items are known by their requests alone. */
const TOOL_RUN = 'tool';

/** How long an answer of an operation that is safe to repeat may be to be kept, in characters of JSON. */
const MAX_REPEATABLE_ANSWER = 16_384;

/** Which run of which node it is. */
export interface RunIdentity {
	/** Empty where n8n gives none, as for some tools. */
	readonly executionId: string;
	/** True if the execution is the retry of another one. */
	readonly isRetry: boolean;
	readonly nodeId: string;
	readonly runIndex: string;
	readonly isTool: boolean;
	/** Names the run if nothing was saved of it before. */
	readonly origin: string;
}

/**
 * The notes of an execution: what it has sent, and what the service answered, over all its tries.
 *
 * They live in n8n's context of the node, which n8n keeps over Retry On Fail, saves with a failed execution and
 * hands to its retry. An item is noted before it is sent, and taken out again if the service did nothing. So however the
 * execution ends, what was under way counts as unknown. If n8n itself dies, nothing is saved: see `marks.ts`.
 *
 * Kept as long as n8n keeps the failed execution; nothing of a run that ended without a failure.
 */
export class Notes {
	/** True if nothing was saved of this run before. */
	readonly isNew: boolean;

	private run: Run;

	private readonly runKey: string;

	/** In a retry: what other retries of the same execution do as well. */
	private readonly siblings: Siblings | undefined;

	private addedSeen = 0;

	private readonly known = new Map<number, Note>();

	private created = 0;

	/**
	 * @param store n8n's context of the node
	 * @param planned the items by place
	 */
	constructor(
		private readonly store: IDataObject,
		private readonly identity: RunIdentity,
		private readonly planned: readonly Planned[],
	) {
		const { executionId, isRetry, nodeId, runIndex, isTool, origin } = identity;
		this.runKey = isTool ? TOOL_RUN : runIndex;
		const saved = this.runs()[this.runKey];
		const earlier = isRun(saved) ? saved : undefined;
		this.isNew = earlier === undefined;
		const begun = { origin, executionId, tries: 0, entries: [] };
		this.run = earlier ?? (isRetry ? { ...begun, isLost: true } : begun);
		const isSaved = this.run.executionId !== executionId;
		this.run.tries = isSaved ? 1 : this.run.tries + 1;
		this.run.executionId = executionId;
		if (isRetry || isSaved) {
			const name = [this.run.origin, nodeId, this.runKey].join(' ');
			this.siblings = joinSiblings(name, this.run.entries);
			this.run.entries = this.siblings.entries;
			this.addedSeen = this.siblings.added;
		}
		store[STORE_KEY] = { ...this.runs(), [this.runKey]: this.run };
		this.learn(this.run.entries);
	}

	/** Names the run: the same in the execution, its retries and theirs, and nowhere else. */
	get origin(): string {
		return this.run.origin;
	}

	/** True in a retry for which nothing was saved, in its later tries, and in its own retries. */
	get isLost(): boolean {
		return this.run.isLost === true;
	}

	/** How often n8n has run the node for these items in this execution, this time included. */
	get tries(): number {
		return this.run.tries;
	}

	/** What is noted of an item: it was begun, and the service did not certainly do nothing. */
	of(index: number): Readonly<Note> | undefined {
		return this.known.get(index);
	}

	/** Learns what other retries of the same execution, and other calls of a tool, have begun in the meantime. */
	refresh(): void {
		if (this.identity.isTool) {
			// All calls of a tool share a run. While this one waited, another may have cleared it or made a new one.
			const saved = this.runs()[this.runKey];
			if (isRun(saved)) this.run = saved;
			else this.store[STORE_KEY] = { ...this.runs(), [this.runKey]: this.run };
			this.learn(this.run.entries);
		} else if (this.siblings && this.siblings.added !== this.addedSeen) {
			this.addedSeen = this.siblings.added;
			this.learn(this.siblings.entries);
		}
	}

	/**
	 * Notes that an item is sent now.
	 *
	 * @param ordinal how often the execution has sent to the same before it, if that is counted
	 * @param row of the contact book, if it is used
	 */
	begin(index: number, ordinal?: number, row?: NotedRow): void {
		const known = this.known.get(index);
		const plan = this.planned[index];
		if (known) delete known.failure;
		else if (plan !== undefined && !isUnsendable(plan)) this.add(index, plan.keys, ordinal);
		const noted = this.known.get(index);
		if (noted && row !== undefined) noted.rows = [...(noted.rows ?? []), row];
	}

	/** Keeps what the operation that was asked first adds, for all tries of the item. */
	keepAdded(index: number, added: IDataObject): void {
		const known = this.known.get(index);
		if (known) known.added = added;
	}

	/**
	 * To be called with what became of an item that was sent. A long answer of an operation that is safe
	 * to repeat is not kept: n8n saves the notes, and the service can be asked again.
	 */
	settle(index: number, result: RunResult): void {
		const known = this.known.get(index);
		if (known === undefined) return;
		if ('accepted' in result && result.accepted && !this.isTooLong(index, result.body)) {
			const { body, via, added } = result;
			known.accepted = { body, via, added };
			if (this.siblings) growByAnswer(this.siblings, known);
		} else if (isAccepted(result)) {
			if (known.added === undefined) this.remove(index, known);
		} else if ('failure' in result && (mayHaveBeenSent(result) || known.added !== undefined)) {
			known.failure = result.failure;
		} else {
			this.remove(index, known);
		}
	}

	/** Forgets the run: there is nothing to continue. Of a tool, what nobody can say is kept. */
	clear(): void {
		const open = this.run.entries.filter(({ accepted }) => accepted === undefined);
		if (this.identity.isTool && open.length > 0) {
			this.run.entries = open;
			return;
		}
		const others = Object.entries(this.runs()).filter(([key]) => key !== this.runKey);
		if (others.length > 0) this.store[STORE_KEY] = Object.fromEntries(others);
		else Reflect.deleteProperty(this.store, STORE_KEY);
	}

	private isTooLong(index: number, body: IDataObject): boolean {
		const isRepeatable = this.planned[index]?.operation.repeatable === true;
		return isRepeatable && JSON.stringify(body).length > MAX_REPEATABLE_ANSWER;
	}

	private add(index: number, keys: KeysToSend, ordinal?: number): void {
		const { executionId, runIndex } = this.identity;
		const id = [executionId, runIndex, this.run.tries, this.created++].join('.');
		const added: Note = { id, index, ...keys, ...(ordinal !== undefined && { ordinal }) };
		this.known.set(index, added);
		if (this.siblings) {
			addSibling(this.siblings, added);
			this.addedSeen++;
		}
		if (this.run.entries !== this.siblings?.entries) this.run.entries.push(added);
	}

	private remove(index: number, known: Note): void {
		this.known.delete(index);
		const position = this.run.entries.lastIndexOf(known);
		if (position >= 0) this.run.entries.splice(position, 1);
	}

	/** Finds out which of the items these notes are of. */
	private learn(notes: readonly Note[]): void {
		if (notes.length === 0) return;
		const taken = new Set(this.known.values());
		const others = notes.filter((one) => !taken.has(one));
		const items = this.planned.flatMap(({ keys }, index) =>
			this.known.has(index) ? [] : [{ index, ...keys }],
		);
		for (const [index, one] of matchItems(items, others, this.identity.isTool))
			this.known.set(index, one);
	}

	private runs(): IDataObject {
		const runs = this.store[STORE_KEY];
		return isObject(runs) ? runs : {};
	}
}

/** The failure of an item that was under way when its execution ended. */
export const lostAnswer = (): Failure =>
	createFailure({
		kind: 'unreachable',
		outcome: 'unknown',
		message: 'It was sent before, and no answer of the service came',
		hint: '',
	});
