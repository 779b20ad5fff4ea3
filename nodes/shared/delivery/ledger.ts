import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { createFailure, type Failure } from '../failure';
import type { ItemPlan } from '../request';
import { isObject } from '../values';
import { fingerprintOf } from './identity';

/** What an accepted item puts out. */
export interface Accepted {
	readonly body: IDataObject;
	readonly via: 'main' | 'fallback';
	/** What the operation that was asked first adds to the output. */
	readonly added: IDataObject;
}

export type ItemResult =
	| ({ readonly accepted: true } & Accepted)
	| { readonly accepted: false; readonly failure: Failure };

const jsonObject = z.custom<IDataObject>(isObject);

const entry = z.object({
	identity: z.string(),
	fingerprint: z.string(),
	/** Absent as long as nobody knows what became of it. */
	accepted: z
		.object({ body: jsonObject, via: z.enum(['main', 'fallback']), added: jsonObject })
		.optional(),
	failure: z.custom<Failure>(isObject).optional(),
});

const run = z.object({ executionId: z.string(), tries: z.number(), items: z.record(entry) });

type Run = z.output<typeof run>;

const isRun = (value: unknown): value is Run => run.safeParse(value).success;

/** All calls of a tool in one execution share a run; its items are known by their identity alone. */
export const TOOL_RUN = 'tool';

const STORE_KEY = 'deliveries';

/** What an item gets that was under way when its execution ended. */
export const lostAnswer = (): Failure =>
	createFailure({
		kind: 'unreachable',
		outcome: 'unknown',
		message: 'The execution ended before the answer of the service came',
	});

/** Which run of which node it is. */
export interface RunIdentity {
	/** Empty where n8n gives none, as for a tool of an AI agent. */
	readonly executionId: string;
	readonly nodeId: string;
	/** The run index, or {@link TOOL_RUN}. */
	readonly runKey: string;
}

/**
 * What this process's retries of a failed execution have sent. Each retry gets from n8n what the failure
 * saved, and so does not know what another retry of the same execution sends.
 */
const retriedRuns = new Map<string, Run[]>();

const MAX_RETRIED_RUNS = 20;

/** How long an answer of an operation that is safe to repeat may be to be kept, in characters of JSON. */
const MAX_REPEATABLE_ANSWER = 16_384;

/**
 * Remembers over the tries of one execution what the service accepted, so that it is not sent again.
 *
 * It lives in n8n's context of the node, which n8n keeps over Retry On Fail, saves with a failed
 * execution and hands to its retry. An item is written down before it is sent, as unknown, and taken
 * out again if the service did nothing.
 */
export class Ledger {
	private readonly run: Run;

	/** This run, and other retries of the same failed execution. */
	private readonly retries: Run[];

	private readonly runKey: string;

	constructor(
		private readonly store: IDataObject,
		{ executionId, nodeId, runKey }: RunIdentity,
	) {
		this.runKey = runKey;
		const saved = this.runs()[runKey];
		const known = isRun(saved) ? saved : undefined;
		const failedExecutionId = known?.executionId;
		const isSameExecution = failedExecutionId === executionId;
		this.run = known ?? { executionId, tries: 0, items: {} };
		this.run.tries = isSameExecution ? this.run.tries + 1 : 1;
		this.run.executionId = executionId;
		store[STORE_KEY] = { ...this.runs(), [runKey]: this.run };
		this.retries =
			failedExecutionId === undefined || isSameExecution
				? [this.run]
				: joinRetries([failedExecutionId, nodeId, runKey].join(' '), this.run);
	}

	/** How often the node has run for these items in this execution, this time included. */
	get tries(): number {
		return this.run.tries;
	}

	/** What is known of an item from an earlier try; `undefined` if it is to be sent. */
	recall(index: number, plan: ItemPlan): ItemResult | undefined {
		const slot = this.slotOf(index, plan);
		const entries = this.retries.flatMap(({ items }) => items[slot] ?? []);
		if (entries.length === 0) return undefined;
		const requests = fingerprintOf(plan);
		const same = entries.filter(
			({ identity, fingerprint }) => identity === plan.identity || fingerprint === requests,
		);
		const known = same.find(({ accepted }) => accepted !== undefined) ?? same[0];
		if (known === undefined) return undefined;
		this.run.items[slot] = known;
		if (known.accepted) return { accepted: true, ...known.accepted };
		const mayBeSent =
			plan.main.operation.repeatable || plan.options.ifOutcomeUnknown === 'sendAgain';
		return mayBeSent ? undefined : { accepted: false, failure: known.failure ?? lostAnswer() };
	}

	/**
	 * Writes down that an item is about to be sent, unless another retry has done so in the meantime.
	 * Returns what {@link recall} returns: it is to be sent only if that is `undefined`.
	 */
	beginSending(index: number, plan: ItemPlan): ItemResult | undefined {
		const known = this.recall(index, plan);
		if (known === undefined) {
			const { identity } = plan;
			this.run.items[this.slotOf(index, plan)] = { identity, fingerprint: fingerprintOf(plan) };
		}
		return known;
	}

	/**
	 * To be called with what became of an item that was sent. A long answer of an operation that is safe
	 * to repeat is not kept: n8n saves the ledger, and the service can be asked again.
	 */
	settle(index: number, plan: ItemPlan, result: ItemResult): void {
		const slot = this.slotOf(index, plan);
		const known = this.run.items[slot];
		if (known === undefined) return;
		if (result.accepted) {
			const { body, via, added } = result;
			const isTooLong =
				plan.main.operation.repeatable && JSON.stringify(body).length > MAX_REPEATABLE_ANSWER;
			if (isTooLong) Reflect.deleteProperty(this.run.items, slot);
			else known.accepted = { body, via, added };
		} else if (result.failure.outcome === 'unknown') {
			known.failure = result.failure;
		} else {
			Reflect.deleteProperty(this.run.items, slot);
		}
	}

	/** Forgets the run: there is nothing to continue. Of a tool, the calls of which nobody can say are kept. */
	clear(): void {
		const isOpen = ([, { accepted }]: [string, Run['items'][string]]) =>
			this.runKey === TOOL_RUN && accepted === undefined;
		const open = Object.entries(this.run.items).filter(isOpen);
		if (open.length > 0) {
			this.run.items = Object.fromEntries(open);
			return;
		}
		const others = Object.entries(this.runs()).filter(([key]) => key !== this.runKey);
		if (others.length > 0) this.store[STORE_KEY] = Object.fromEntries(others);
		else Reflect.deleteProperty(this.store, STORE_KEY);
	}

	/** Under which name an item is kept. */
	private slotOf(index: number, { identity }: ItemPlan): string {
		return this.runKey === TOOL_RUN ? identity : String(index);
	}

	private runs(): IDataObject {
		const runs = this.store[STORE_KEY];
		return isObject(runs) ? runs : {};
	}
}

/** Adds a retry to those of the same failed run, and forgets the oldest failed run of too many. */
function joinRetries(failedRun: string, retry: Run): Run[] {
	const retries = retriedRuns.get(failedRun) ?? [];
	retries.push(retry);
	retriedRuns.set(failedRun, retries);
	const [oldest] = retriedRuns.keys();
	if (retriedRuns.size > MAX_RETRIED_RUNS && oldest !== undefined) retriedRuns.delete(oldest);
	return retries;
}
