import type { Transport } from '../request/transport';
import { isUnsendable, type Planned } from '../request/planned';
import { createYielder, doneOrAborted } from '../time/wait';
import { Exchange, type Sender } from './exchange';
import type { Gate } from './gate';
import type { Lane } from './lane';
import type { Ledger } from './ledger/ledger';
import type { Beginning } from './ledger/ledgerOptions';
import { failed, failureOf, type RunResult } from './result';
import { sendItem } from './sendItem';
import { notBegun } from './waitFailures';

export interface DeliveryOptions {
	readonly transport: Transport;
	readonly gate: Gate;
	readonly ledger: Ledger;
	/** True if the first failure stops what has not started. */
	readonly stopOnFailure: boolean;
	readonly maxConcurrentRequests: number;
	/** 0 for no limit. */
	readonly requestsPerSecond: number;
	/** Aborted by the delivery to start nothing more, and at its end. */
	readonly halt: AbortController;
	/** Aborted when nothing more is to start: the run was halted, or cancelled. */
	readonly signal: AbortSignal;
	/** Aborted when the execution is cancelled. */
	readonly cancel?: AbortSignal;
	/** Called when an item has ended, with what has ended so far by index. */
	readonly onProgress?: (results: readonly RunResult[]) => void;
}

/**
 * Sends the items in their order, several at a time, and says what became of each. What was accepted in
 * an earlier try is not sent again. Whatever throws while an item is sent is a failure of that item.
 *
 * With `stopOnFailure` nothing at all is sent if one of the items is unsendable.
 */
export async function deliver(
	planned: readonly Planned[],
	options: DeliveryOptions,
): Promise<RunResult[]> {
	const delivery = new Delivery(planned, options);
	try {
		return await delivery.run();
	} finally {
		await delivery.close();
	}
}

class Delivery {
	private readonly lane: Lane;

	private readonly exchange: Exchange;

	private readonly results: RunResult[] = [];

	/** The items that are on their way. */
	private readonly underWay: Promise<void>[] = [];

	constructor(
		private readonly planned: readonly Planned[],
		private readonly options: DeliveryOptions,
	) {
		const { gate, maxConcurrentRequests, requestsPerSecond, signal, transport } = options;
		this.lane = gate.open({ maxConcurrentRequests, requestsPerSecond, signal });
		this.exchange = new Exchange(transport, this.lane, signal);
	}

	async run(): Promise<RunResult[]> {
		const yieldIfDue = createYielder();
		if (this.options.stopOnFailure && this.planned.some(isUnsendable)) this.options.halt.abort();
		for (const index of this.planned.keys()) {
			await yieldIfDue();
			const { end } = await this.start(index);
			// Awaited below. Until then, Node would take a rejection for one that nobody handles.
			end.catch(() => undefined);
			this.underWay.push(end);
		}
		await Promise.all(this.underWay);
		return this.results;
	}

	/** Ends what is still on its way if the run has thrown. */
	async close(): Promise<void> {
		const { cancel, halt, ledger } = this.options;
		halt.abort();
		await Promise.allSettled(this.underWay);
		this.lane.close();
		// n8n's store may never answer.
		await doneOrAborted(ledger.close(), cancel);
	}

	/** Starts an item as soon as the ledger and the gate let it. `end` is its result, in an object so that it is not awaited. */
	private async start(index: number): Promise<{ end: Promise<void> }> {
		const beginning = await this.begin(index);
		if (beginning === 'send') return await this.enter(index);
		if ('waitFor' in beginning) return { end: this.startAfter(beginning.waitFor, index) };
		this.finish(index, beginning.result);
		return { end: Promise.resolve() };
	}

	/** Items for the same recipient go one after the other (rule 9): each waits, without a seat and a claim, for the one before. */
	private async begin(index: number): Promise<Beginning> {
		const { ledger } = this.options;
		try {
			await ledger.prepare(index);
			if (ledger.hasOpenPredecessor(index)) return { waitFor: this.predecessors(index) };
			return await ledger.begin(index);
		} catch (error) {
			return { result: this.breakOff(error) };
		}
	}

	/** Ends when all items before it for the same recipient have ended. */
	private async predecessors(index: number): Promise<void> {
		const { ledger } = this.options;
		const before = ledger.predecessors[index] ?? [];
		await Promise.all(before.map(async (one) => await this.underWay[one]));
		await ledger.predecessorsSettled(index);
	}

	/**
	 * If the ledger throws, nobody knows what it would have said: nothing more starts. Others may have been sent, and what
	 * became of them has to come out.
	 */
	private breakOff(error: unknown): RunResult {
		this.options.halt.abort();
		return failed(notBegun(error));
	}

	private async startAfter(other: Promise<void>, index: number): Promise<void> {
		await other;
		const { end } = await this.start(index);
		await end;
	}

	/** Waits for the first turn of an item that may be sent. */
	private async enter(index: number): Promise<{ end: Promise<void> }> {
		const plan = this.planned[index];
		if (plan === undefined || isUnsendable(plan)) return { end: Promise.resolve() };
		const { ledger } = this.options;
		// Items for the same recipient share a wait: else each of them would wait anew while the service refuses all.
		const isWaitOver = ledger.predecessors[index]?.some((one) => {
			const before = this.results[one];
			return before !== undefined && failureOf(before)?.kind === 'rateLimited';
		});
		const maxWait = isWaitOver === true ? 0 : plan.options.maxWait * 1_000;
		let isRevoked: boolean | undefined;
		let barredBy: RunResult | undefined;
		const mayStart = (): boolean => {
			try {
				isRevoked = ledger.revokeIfStale(index);
				barredBy = isRevoked ? undefined : ledger.aboutToSend(index);
			} catch (error) {
				barredBy = this.breakOff(error);
			}
			return isRevoked !== true && barredBy === undefined;
		};
		const turn = this.lane.enter(index, maxWait);
		const take: Sender['take'] = async () => {
			const waitEnd = await turn.take();
			if (waitEnd !== 'go' || mayStart()) return waitEnd;
			turn.giveBack();
			return 'barred';
		};
		const waitEnd = await take();
		if (isRevoked === true) {
			turn.leave();
			return await this.start(index);
		}
		const sendAndFinish = async (): Promise<void> => {
			const result =
				waitEnd === 'go'
					? await sendItem(plan, { turn, take }, this.exchange, this.options.signal)
					: failed(this.exchange.notStarted(waitEnd));
			if (barredBy) this.finish(index, barredBy);
			else this.finish(index, result, true);
			turn.leave();
		};
		return { end: sendAndFinish() };
	}

	/** @param isNew false if `given` may be of an earlier try: what stays unknown of it stops no other item */
	private finish(index: number, given: RunResult, isNew = false): void {
		const { halt, ledger, onProgress, stopOnFailure } = this.options;
		const failure = failureOf(given);
		if (stopOnFailure && failure && (isNew || failure.outcome !== 'unknown')) halt.abort();
		this.results[index] = ledger.end(index, given);
		onProgress?.(this.results);
	}
}
