import type { IDataObject } from 'n8n-workflow';

import { createFailure, type Failure } from '../../answer/failure';
import { isObject } from '../../values';
import { isRefused, type Planned } from '../../request/planned';
import { failed, isRun, type Entry, type ItemResult, type Run } from './entry';
import { matchItems } from './matching';
import { addSibling, growByAnswer, joinSiblings, type Siblings } from './siblings';

const STORE_KEY = 'deliveries';

/** All calls of a tool in one execution share a run; its items are known by their requests alone. */
const TOOL_RUN = 'tool';

/** How long an answer of an operation that is safe to repeat may be to be kept, in characters of JSON. */
const MAX_REPEATABLE_ANSWER = 16_384;

/** The failure of an item that was under way when its execution ended. */
export const lostAnswer = (): Failure =>
	createFailure({
		kind: 'unreachable',
		outcome: 'unknown',
		message: 'It was sent before, and no answer of the service came',
		hint: '',
	});

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
 * Remembers over the tries of one execution what the service accepted, so that it is not sent again.
 *
 * It lives in n8n's context of the node, which n8n keeps over Retry On Fail, saves with a failed execution and
 * hands to its retry. An item is written down before it is sent, and taken out again if the service did nothing.
 * So however the execution ends, what was under way counts as unknown. If n8n itself dies, nothing is saved: see
 * `crashMemory.ts`.
 *
 * Kept as long as n8n keeps the failed execution; nothing of a run that ended without a failure.
 */
export class ExecutionMemory {
	/** True if nothing was saved of this run before. */
	readonly isNew: boolean;

	private run: Run;

	private readonly runKey: string;

	/** In a retry: what other retries of the same execution do as well. */
	private readonly siblings: Siblings | undefined;

	private addedSeen = 0;

	private readonly known = new Map<number, Entry>();

	private created = 0;

	/** Of items that are sent again although an earlier try may have reached somebody: what is known of that try. */
	private readonly doubts = new Map<number, Failure>();

	/** @param planned the items by place */
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
		if (this.run.entries.length > 0) this.learn(this.run.entries);
	}

	/** Names the run: the same in the execution, its retries and theirs, and nowhere else. */
	get origin(): string {
		return this.run.origin;
	}

	/** True in a retry for which nothing was saved, in its later tries, and in its own retries: see {@link Run}. */
	get isLost(): boolean {
		return this.run.isLost === true;
	}

	/** How often n8n has run the node for these items in this execution, this time included. */
	get tries(): number {
		return this.run.tries;
	}

	/** True if the item was begun in an earlier try, and the service did not certainly do nothing. */
	knows(index: number): boolean {
		return this.known.has(index);
	}

	/**
	 * What is known of an item from an earlier try; `undefined` if it is to be sent, or is refused now and nobody was
	 * reached before.
	 */
	recall(index: number): ItemResult | undefined {
		const plan = this.planned[index];
		const entry = this.known.get(index);
		if (plan === undefined || entry === undefined) return undefined;
		if (entry.accepted) return { accepted: true, ...entry.accepted };
		const isSentAgain = !isRefused(plan) && plan.options.ifOutcomeUnknown === 'sendAgain';
		const mayBeSent = plan.operation.repeatable || isSentAgain;
		return mayBeSent ? undefined : failed(entry.failure ?? lostAnswer());
	}

	/**
	 * Writes down that an item is about to be sent, unless another retry has done so in the meantime.
	 * Returns what {@link recall} returns: it is to be sent only if that is `undefined`.
	 */
	beginSending(index: number): ItemResult | undefined {
		if (this.identity.isTool) this.joinCalls();
		else this.learnFromSiblings();
		const known = this.recall(index);
		if (known !== undefined) return known;
		const doubt = this.doubtOf(index);
		if (doubt) this.doubts.set(index, doubt);
		const entry = this.known.get(index) ?? this.add(index);
		if (entry) delete entry.failure;
		return undefined;
	}

	/** What an earlier try leaves in doubt of an item; `undefined` if nothing, or if the operation is safe to repeat. */
	doubtOf(index: number): Failure | undefined {
		const known = this.doubts.get(index);
		const entry = this.known.get(index);
		const isDone = entry === undefined || entry.accepted !== undefined;
		if (known || isDone || this.planned[index]?.operation.repeatable !== false) return known;
		return entry.failure ?? lostAnswer();
	}

	/** What the operation that was asked first has added before the item was first sent. */
	addedTo(index: number): IDataObject | undefined {
		return this.known.get(index)?.added;
	}

	/** Keeps what the operation that was asked first adds, for all tries of the item. */
	keepAdded(index: number, added: IDataObject): void {
		const entry = this.known.get(index);
		if (entry) entry.added = added;
	}

	/**
	 * To be called with what became of an item that was sent. A long answer of an operation that is safe
	 * to repeat is not kept: n8n saves this memory, and the service can be asked again.
	 */
	settle(index: number, result: ItemResult): void {
		const entry = this.known.get(index);
		if (entry === undefined) return;
		if (result.accepted) {
			const { body, via, added } = result;
			const isRepeatable = this.planned[index]?.operation.repeatable === true;
			if (isRepeatable && JSON.stringify(body).length > MAX_REPEATABLE_ANSWER) {
				if (entry.added === undefined) this.remove(index, entry);
				return;
			}
			entry.accepted = { body, via, added };
			if (this.siblings) growByAnswer(this.siblings, entry);
		} else if (result.failure.outcome === 'unknown' || entry.added !== undefined) {
			entry.failure = result.failure;
		} else if (this.doubts.has(index)) {
			entry.failure = this.doubts.get(index);
		} else {
			this.remove(index, entry);
		}
	}

	/** Forgets the run: there is nothing to continue. For AI tools, entries with unknown outcome are kept. */
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

	private add(index: number): Entry | undefined {
		const plan = this.planned[index];
		if (plan === undefined || isRefused(plan)) return undefined;
		const { executionId, runIndex } = this.identity;
		const id = [executionId, runIndex, this.run.tries, this.created++].join('.');
		const entry: Entry = { id, index, ...plan.keys };
		this.known.set(index, entry);
		if (this.siblings) {
			addSibling(this.siblings, entry);
			this.addedSeen++;
		}
		if (this.run.entries !== this.siblings?.entries) this.run.entries.push(entry);
		return entry;
	}

	private remove(index: number, entry: Entry): void {
		this.known.delete(index);
		const position = this.run.entries.lastIndexOf(entry);
		if (position >= 0) this.run.entries.splice(position, 1);
	}

	/** All calls of a tool share a run. While this one waited, another may have begun, cleared the run or made a new one. */
	private joinCalls(): void {
		const saved = this.runs()[this.runKey];
		if (isRun(saved)) this.run = saved;
		else this.store[STORE_KEY] = { ...this.runs(), [this.runKey]: this.run };
		this.learnMore(this.run.entries);
	}

	private learnFromSiblings(): void {
		if (this.siblings === undefined || this.siblings.added === this.addedSeen) return;
		this.addedSeen = this.siblings.added;
		this.learnMore(this.siblings.entries);
	}

	private learnMore(entries: readonly Entry[]): void {
		const taken = new Set(this.known.values());
		this.learn(entries.filter((entry) => !taken.has(entry)));
	}

	/** Finds out which of the items these entries are. */
	private learn(entries: readonly Entry[]): void {
		const items = this.planned.flatMap(({ keys }, index) =>
			this.known.has(index) ? [] : [{ index, ...keys }],
		);
		for (const [index, entry] of matchItems(items, entries, this.identity.isTool)) {
			this.known.set(index, entry);
		}
	}

	private runs(): IDataObject {
		const runs = this.store[STORE_KEY];
		return isObject(runs) ? runs : {};
	}
}
