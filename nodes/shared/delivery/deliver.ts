import { createFailure, FAILURE_TEXTS, type Failure } from '../answer/failure';
import type { ItemPlan } from '../request/request';
import type { Transport } from '../request/transport';
import { steadyNow } from './clock';
import type { ItemResult } from './memory/entry';
import { Exchange, type Sender } from './exchange';
import type { Gate } from './gate';
import type { CrashMemory } from './memory/crashMemory';
import type { Lane } from './lane';
import type { ExecutionMemory } from './memory/executionMemory';
import { MaxWait } from './maxWait';
import { createBreather, doneOrAborted, Places } from './wait';

/** An item that is to be sent, or why it cannot be. */
export type Planned = ItemPlan | Failure;

export interface DeliveryOptions {
	readonly transport: Transport;
	readonly gate: Gate;
	readonly executionMemory: ExecutionMemory;
	/** Absent if the operation is safe to repeat. */
	readonly crashMemory?: CrashMemory;
	/** True if the first failure stops what has not started. */
	readonly stopOnFailure: boolean;
	readonly maxConcurrentRequests: number;
	/** 0 for no limit. */
	readonly requestsPerSecond: number;
	/** Aborted when the execution is cancelled. */
	readonly signal?: AbortSignal;
}

/** An item on its way. */
interface Parcel extends Sender {
	readonly plan: ItemPlan;
}

const isFailure = (planned: Planned): planned is Failure => 'kind' in planned;

/**
 * Sends the items in their order, several at a time, and says what became of each. What was accepted in
 * an earlier try is not sent again. Whatever throws while an item is sent is a failure of that item.
 *
 * With `stopOnFailure` nothing at all is sent if an item was refused beforehand.
 */
export async function deliver(
	planned: readonly Planned[],
	options: DeliveryOptions,
): Promise<ItemResult[]> {
	const delivery = new Delivery(options);
	try {
		return await delivery.run(planned);
	} finally {
		delivery.close();
	}
}

class Delivery {
	private readonly halt = new AbortController();

	/** Aborted when nothing more is to start: the run was stopped by a failure, or cancelled. */
	private readonly signal: AbortSignal;

	private readonly lane: Lane;

	private readonly exchange: Exchange;

	constructor(private readonly options: DeliveryOptions) {
		const { gate, requestsPerSecond, signal, transport } = options;
		this.signal = signal ? AbortSignal.any([signal, this.halt.signal]) : this.halt.signal;
		this.lane = gate.open({ requestsPerSecond, signal: this.signal });
		this.exchange = new Exchange(transport, this.lane, this.signal);
	}

	async run(planned: readonly Planned[]): Promise<ItemResult[]> {
		const { crashMemory, signal } = this.options;
		const results: ItemResult[] = [];
		const underWay: Promise<void>[] = [];
		const places = new Places(this.options.maxConcurrentRequests);
		const breathe = createBreather();
		if (this.options.stopOnFailure && planned.some(isFailure)) this.halt.abort();

		for (const [index, plan] of planned.entries()) {
			await breathe();
			const known = isFailure(plan) ? fails(plan) : await this.recall(index, plan);
			if (known !== undefined || isFailure(plan)) {
				if (known) results[index] = known;
				continue;
			}
			await places.enter();
			const parcel = { index, plan, maxWait: new MaxWait(plan.options.maxWait * 1_000) };
			const turn = await this.lane.turn(index, parcel.maxWait);
			if (turn !== 'start') {
				places.leave();
				results[index] = this.settleFailure(this.exchange.notStarted(turn));
				continue;
			}
			underWay.push(
				this.deliverItem(parcel).then((result) => {
					results[index] = result;
					places.leave();
				}),
			);
		}
		await Promise.all(underWay);
		if (crashMemory) await doneOrAborted(crashMemory.close(results), signal);
		return results;
	}

	close(): void {
		this.lane.close();
	}

	/** What is known of an item; it is to be sent only if that is `undefined`, and is marked then. */
	private async recall(index: number, plan: ItemPlan): Promise<ItemResult | undefined> {
		const { executionMemory, crashMemory } = this.options;
		const known = executionMemory.recall(index);
		if (known !== undefined) return known;
		if (crashMemory && !this.isHalted()) await doneOrAborted(crashMemory.mark(index), this.signal);
		return this.isHalted()
			? fails(this.exchange.notStarted('stopped'))
			: crashMemory?.recall(index, plan);
	}

	private isHalted(): boolean {
		return this.signal.aborted;
	}

	private settleFailure(failure: Failure): ItemResult {
		if (this.options.stopOnFailure) this.halt.abort();
		return fails(failure);
	}

	/** To be called with a turn in hand. */
	private async deliverItem(parcel: Parcel): Promise<ItemResult> {
		const { executionMemory } = this.options;
		const result = await this.sendUnlessKnown(parcel).catch(() => fails(brokenOff()));
		executionMemory.settle(parcel.index, result);
		return result.accepted ? result : this.settleFailure(result.failure);
	}

	/** Another retry of the same execution may have sent the item in the meantime. */
	private async sendUnlessKnown(parcel: Parcel): Promise<ItemResult> {
		const known = this.options.executionMemory.beginSending(parcel.index);
		if (known === undefined) return await this.send(parcel);
		this.lane.end(steadyNow(), { kind: 'unknown' });
		return known;
	}

	private async send(parcel: Parcel): Promise<ItemResult> {
		const { index, plan } = parcel;
		const { before, main, fallback } = plan;
		const { executionMemory } = this.options;
		let hasTurn = true;
		if (before && executionMemory.addedTo(index) === undefined) {
			const first = await this.exchange.request(before, parcel, hasTurn);
			if (!first.accepted) return fails(notSentBecause(first.failure));
			executionMemory.keepAdded(index, main.operation.before?.adds(first.body) ?? {});
			hasTurn = false;
		}
		const added = executionMemory.addedTo(index) ?? {};
		const answer = await this.exchange.request(main, parcel, hasTurn);
		if (answer.accepted) return { accepted: true, body: answer.body, via: 'main', added };
		const isFallback = main.operation.fallback?.kinds.includes(answer.failure.kind) === true;
		if (!fallback || !isFallback || this.signal.aborted) return answer;
		const second = await this.exchange.request(fallback, parcel, false);
		return second.accepted ? { accepted: true, body: second.body, via: 'fallback', added } : second;
	}
}

const fails = (failure: Failure) => ({ accepted: false, failure }) as const;

/** The failure of an item whose delivery threw: nobody can say how far it came. */
const brokenOff = (): Failure =>
	createFailure({
		kind: 'badResponse',
		outcome: 'unknown',
		message: 'The node failed while this item was sent',
		hint: 'Report this with the version of the node.',
	});

/** What was asked first failed, so that the request itself was never sent. */
const notSentBecause = ({ kind, outcome, hint, ...failure }: Failure): Failure =>
	createFailure({
		...failure,
		kind,
		outcome: 'notSent',
		hint: outcome === 'unknown' ? FAILURE_TEXTS[kind].hint : hint,
	});
