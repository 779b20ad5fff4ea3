import type { Failure } from '../answer/failure';
import type { HeldBack } from '../outreach/heldBack';
import type { ItemPlan } from '../request/request';
import type { Transport } from '../request/transport';
import type { Admission } from './admission';
import { Exchange } from './exchange';
import type { Gate } from './gate';
import type { ContactMemory } from './memory/contactMemory';
import type { CrashMemory } from './memory/crashMemory';
import { failed, failureOf, mayHaveBeenSent, type RunResult } from './memory/entry';
import type { Lane } from './lane';
import type { ExecutionMemory } from './memory/executionMemory';
import { isRefused, type Planned } from '../request/planned';
import { sendItem, type Parcel } from './sendItem';
import { createBreather, doneOrAborted } from '../time/wait';

export interface DeliveryOptions {
	readonly transport: Transport;
	readonly gate: Gate;
	readonly executionMemory: ExecutionMemory;
	/** Absent if the operation is safe to repeat. */
	readonly crashMemory?: CrashMemory;
	readonly contactMemory: ContactMemory;
	readonly admission: Admission;
	/** True if the first failure stops what has not started. */
	readonly stopOnFailure: boolean;
	readonly maxConcurrentRequests: number;
	/** 0 for no limit. */
	readonly requestsPerSecond: number;
	/** Aborted when the execution is cancelled. */
	readonly signal?: AbortSignal;
	/** Called when an item has ended, with what has ended so far by place. */
	readonly onProgress?: (results: readonly RunResult[]) => void;
}

/**
 * Sends the items in their order, several at a time, and says what became of each. What was accepted in
 * an earlier try is not sent again. Whatever throws while an item is sent is a failure of that item.
 *
 * With `stopOnFailure` nothing at all is sent if an item was refused beforehand.
 */
export async function deliver(
	planned: readonly Planned[],
	options: DeliveryOptions,
): Promise<RunResult[]> {
	const delivery = new Delivery(options);
	try {
		return await delivery.run(planned);
	} finally {
		await delivery.close();
	}
}

class Delivery {
	private readonly halt = new AbortController();

	/** Aborted when nothing more is to start: the run was stopped by a failure, or cancelled. */
	private readonly signal: AbortSignal;

	private readonly lane: Lane;

	private readonly exchange: Exchange;

	private readonly results: RunResult[] = [];

	/** Which items were held back when they had a turn, by place. */
	private readonly heldBack: (HeldBack | undefined)[] = [];

	/** The items that are on their way. */
	private readonly underWay: Promise<void>[] = [];

	constructor(private readonly options: DeliveryOptions) {
		const { gate, maxConcurrentRequests, requestsPerSecond, signal, transport } = options;
		this.signal = signal ? AbortSignal.any([signal, this.halt.signal]) : this.halt.signal;
		this.lane = gate.open({ maxConcurrentRequests, requestsPerSecond, signal: this.signal });
		this.exchange = new Exchange(transport, this.lane, this.signal);
		// One listener for all items: Node warns of more than ten.
		this.signal.addEventListener('abort', () => {
			options.contactMemory.endWaits();
		});
	}

	async run(planned: readonly Planned[]): Promise<RunResult[]> {
		const { signal } = this.options;
		const breathe = createBreather();
		if (this.options.stopOnFailure && planned.some(isRefused)) this.halt.abort();

		for (const [index, plan] of planned.entries()) {
			await breathe();
			const known = await this.recall(index, plan);
			if (known !== undefined || isRefused(plan)) {
				if (known) this.finish(index, known);
				continue;
			}
			const isPending = this.options.admission.isPending(index);
			const end = isPending ? this.startLater(index, plan) : (await this.start(index, plan)).end;
			// Awaited below. Until then, Node would take a rejection for one that nobody handles.
			end.catch(() => undefined);
			this.underWay.push(end);
		}
		await Promise.all(this.underWay);
		await doneOrAborted(this.closeMemories(), signal);
		return this.results;
	}

	/** Ends what is still on its way if the run has thrown. */
	async close(): Promise<void> {
		this.halt.abort();
		await Promise.allSettled(this.underWay);
		this.options.contactMemory.release();
		this.lane.close();
	}

	private async closeMemories(): Promise<void> {
		const { crashMemory, contactMemory } = this.options;
		await Promise.all([
			crashMemory?.close(this.results) ?? Promise.resolve(),
			contactMemory.close(),
		]);
	}

	/**
	 * What is known of an item, or why it is refused; it is to be sent only if that is `undefined`, and is marked then. Who was
	 * reached before comes out so, whatever stops or refuses the item now.
	 */
	private async recall(index: number, plan: Planned): Promise<RunResult | undefined> {
		const { executionMemory, crashMemory } = this.options;
		const known = executionMemory.recall(index);
		if (known !== undefined) return known;
		const stop = crashMemory?.isRetry === true ? this.options.signal : this.signal;
		if (crashMemory?.needsMark(index) === true && stop?.aborted !== true)
			await doneOrAborted(crashMemory.mark(index), stop);
		const lost = crashMemory?.recall(index, plan);
		const failure = lost && failureOf(lost);
		// In a retry, items that stay unknown stop no others.
		if (failure?.outcome === 'unknown') return lost;
		if (isRefused(plan)) return failed(plan.failure);
		if (this.isHalted()) return failed(this.exchange.notStarted('stopped'));
		return failure && this.settleFailure(failure);
	}

	/** Another item is about to contact the same person: what becomes of it decides. */
	private async startLater(index: number, plan: ItemPlan): Promise<void> {
		const { admission, contactMemory } = this.options;
		while (!this.isHalted() && admission.isPending(index)) await contactMemory.waitForTurn(index);
		await (
			await this.start(index, plan)
		).end;
	}

	/** Starts an item as soon as the rules of contact and the gate let it; `end` resolves when it has its result. */
	private async start(index: number, plan: ItemPlan): Promise<{ end: Promise<void> }> {
		const held = await this.admit(index);
		if (held === 'pending') return { end: this.startLater(index, plan) };
		if (held !== undefined) return this.finish(index, held);
		const { admission, contactMemory } = this.options;
		// Asked right before each request, so that the contact counts from the last one.
		const mayStart = (): boolean => {
			contactMemory.sending(index);
			this.heldBack[index] = admission.holdOutside(index);
			return this.heldBack[index] === undefined;
		};
		const turns = this.lane.enter(index, plan.options.maxWait * 1_000, mayStart);
		const turn = await turns.take();
		if (turn === 'start') return { end: this.deliverItem({ index, plan, turns }) };
		const ended = this.finish(
			index,
			this.heldBackResult(index) ?? this.settleFailure(this.exchange.notStarted(turn)),
		);
		turns.leave();
		return ended;
	}

	private heldBackResult(index: number): RunResult | undefined {
		const heldBack = this.heldBack[index];
		return heldBack && { heldBack };
	}

	/** Why an item is not sent, or not yet; `undefined` if it is admitted. */
	private async admit(index: number): Promise<RunResult | 'pending' | undefined> {
		if (this.isHalted()) return failed(this.exchange.notStarted('stopped'));
		const { admission } = this.options;
		const heldBack = admission.holdBack(index);
		if (heldBack !== undefined) return { heldBack };
		const claimed = admission.needsClaim(index) ? await this.claim(index) : undefined;
		if (claimed === 'pending') return claimed;
		const failure = claimed && failureOf(claimed);
		if (failure !== undefined) return this.settleFailure(failure);
		return claimed ?? (this.isHalted() ? failed(this.exchange.notStarted('stopped')) : undefined);
	}

	/** n8n's store may never answer. */
	private async claim(index: number): Promise<RunResult | 'pending' | undefined> {
		let result: RunResult | 'pending' | undefined;
		const claiming = this.options.admission.claim(index).then((claimed) => {
			result = claimed;
		});
		await doneOrAborted(claiming, this.signal);
		return result;
	}

	private finish(index: number, given: RunResult): { end: Promise<void> } {
		const result = this.withDoubt(index, given);
		this.results[index] = result;
		this.options.contactMemory.settle(index, mayHaveBeenSent(result));
		this.options.onProgress?.(this.results);
		return { end: Promise.resolve() };
	}

	/** An item that an earlier try may have reached, and that is to be sent again, stays unknown if it is not sent, or refused. */
	private withDoubt(index: number, result: RunResult): RunResult {
		const { executionMemory, crashMemory } = this.options;
		const failure = failureOf(result);
		if (failure === undefined || failure.outcome === 'unknown') return result;
		const doubt = executionMemory.doubtOf(index) ?? crashMemory?.doubtOf(index);
		return doubt === undefined ? result : failed(doubt);
	}

	private isHalted(): boolean {
		return this.signal.aborted;
	}

	private settleFailure(failure: Failure): RunResult {
		if (this.options.stopOnFailure) this.halt.abort();
		return failed(failure);
	}

	/** To be called with a turn in hand. */
	private async deliverItem(parcel: Parcel): Promise<void> {
		const { executionMemory } = this.options;
		const { index, turns } = parcel;
		const result = await sendItem(parcel, {
			exchange: this.exchange,
			executionMemory,
			signal: this.signal,
		});
		executionMemory.settle(index, result);
		const heldBack = result.accepted ? undefined : this.heldBackResult(index);
		const settled = result.accepted ? result : (heldBack ?? this.settleFailure(result.failure));
		this.finish(index, settled);
		turns.leave();
	}
}
