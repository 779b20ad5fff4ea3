import type { Answer } from '../answer';
import { createFailure, FAILURE_TEXTS, type Failure } from '../failure';
import type { ItemPlan, ServiceRequest } from '../request';
import type { Transport } from '../transport';
import type { Journal } from './journal';
import type { ItemResult, Ledger } from './ledger';
import { Pace } from './pace';
import { MAX_TRIES, readRetryAfter, retryDelay } from './retry';
import { createBreather, waitUnlessAborted } from './wait';

/** An item that is to be sent, or why it cannot be. */
export type Planned = ItemPlan | Failure;

export interface DeliveryOptions {
	readonly transport: Transport;
	readonly ledger: Ledger;
	/** Absent if the operation is safe to repeat. */
	readonly journal?: Journal;
	/** True if the first failure stops what has not started. */
	readonly stopOnFailure: boolean;
	readonly maxConcurrentRequests: number;
	/** 0 for no limit. */
	readonly requestsPerSecond: number;
	/** Aborted when the execution is cancelled. */
	readonly signal?: AbortSignal;
}

const isFailure = (planned: Planned): planned is Failure => 'kind' in planned;

/**
 * Sends the items in their order, several at a time, and says what became of each. What was accepted in
 * an earlier try is not sent again. Never throws.
 *
 * With `stopOnFailure` nothing at all is sent if an item was refused beforehand.
 */
export async function deliver(
	planned: readonly Planned[],
	options: DeliveryOptions,
): Promise<ItemResult[]> {
	return await new Delivery(options).run(planned);
}

class Delivery {
	private readonly pace: Pace;

	private isStopped = false;

	/** True while nothing answers: an item then gets one try, not the time of all of them. */
	private isServiceDown = false;

	constructor(private readonly options: DeliveryOptions) {
		const { maxConcurrentRequests, requestsPerSecond, signal } = options;
		this.pace = new Pace(maxConcurrentRequests, requestsPerSecond, signal);
	}

	async run(planned: readonly Planned[]): Promise<ItemResult[]> {
		const { ledger, stopOnFailure } = this.options;
		const results: ItemResult[] = [];
		const underWay = new Set<Promise<void>>();
		const breathe = createBreather();
		this.isStopped = stopOnFailure && planned.some(isFailure);

		for (const [index, plan] of planned.entries()) {
			await breathe();
			if (isFailure(plan)) {
				results[index] = { accepted: false, failure: plan };
				continue;
			}
			const known = ledger.recall(index, plan) ?? (await this.recallNote(index, plan));
			if (known !== undefined) {
				results[index] = known;
				continue;
			}
			if (!this.isHalted()) await this.pace.enter();
			if (this.isHalted()) {
				results[index] = this.stopped();
				continue;
			}
			const task = this.deliverItem(index, plan).then((result) => {
				results[index] = result;
				underWay.delete(task);
			});
			underWay.add(task);
		}
		await Promise.all(underWay);
		await this.options.journal?.close(results);
		return results;
	}

	/** What the journal knows of an item, after that item was noted as well. */
	private async recallNote(index: number, plan: ItemPlan): Promise<ItemResult | undefined> {
		const { journal } = this.options;
		if (journal === undefined || this.isHalted()) return undefined;
		await journal.note(index);
		return journal.recall(index, plan);
	}

	private isHalted(): boolean {
		return this.isStopped || this.options.signal?.aborted === true;
	}

	/** n8n takes an error whose message says "canceled" for the end of a cancelled execution. */
	private stopped(): ItemResult {
		const isCancelled = this.options.signal?.aborted === true;
		const message = isCancelled ? { message: 'Not sent, because the execution was canceled' } : {};
		return {
			accepted: false,
			failure: createFailure({ kind: 'stopped', outcome: 'notSent', ...message }),
		};
	}

	private async deliverItem(index: number, plan: ItemPlan): Promise<ItemResult> {
		const { ledger, stopOnFailure } = this.options;
		await this.pace.start();
		const known = this.isHalted() ? this.stopped() : ledger.beginSending(index, plan);
		const result = known ?? (await this.send(plan));
		if (known === undefined) ledger.settle(index, plan, result);
		if (!result.accepted && stopOnFailure) this.isStopped = true;
		this.pace.leave();
		return result;
	}

	private async send({ before, main, fallback }: ItemPlan): Promise<ItemResult> {
		const first = before && (await this.request(before));
		if (first?.accepted === false)
			return { accepted: false, failure: notSentBecause(first.failure) };
		if (first) await this.pace.start();
		const added = first ? (main.operation.before?.adds(first.body) ?? {}) : {};

		let via: 'main' | 'fallback' = 'main';
		let answer = await this.request(main);
		if (
			!answer.accepted &&
			fallback &&
			main.operation.fallback?.kinds.includes(answer.failure.kind)
		) {
			via = 'fallback';
			await this.pace.start();
			answer = await this.request(fallback);
		}
		return answer.accepted ? { accepted: true, body: answer.body, via, added } : answer;
	}

	/** Sends one request, and again where that is safe. */
	private async request(request: ServiceRequest): Promise<Answer> {
		const { operation } = request;
		const begin = Date.now();
		let mayHaveWorked = false;
		for (let tries = 1; ; tries++) {
			const startedAt = Date.now();
			const answer = await this.options.transport(request);
			if (answer.accepted) {
				this.isServiceDown = false;
				this.pace.speedUp();
				return answer;
			}
			const { kind, serviceMessage } = answer.failure;
			if (operation.doneIfGone === true && mayHaveWorked && kind === 'notFound') {
				return { accepted: true, body: { msg: serviceMessage } };
			}
			if (kind !== 'unreachable') this.isServiceDown = false;
			mayHaveWorked ||= kind === 'serviceError' || answer.failure.outcome === 'unknown';
			this.adjustPace(answer, startedAt);

			const delay = retryDelay(operation, answer, tries, Date.now() - begin);
			if (kind === 'unreachable' && tries === MAX_TRIES) this.isServiceDown = true;
			if (delay === undefined || this.isServiceDown || this.isHalted()) return answer;
			await waitUnlessAborted(delay, this.options.signal);
			await this.pace.start();
			if (this.isHalted()) return answer;
		}
	}

	private adjustPace(
		{ failure, retryAfter }: Answer & { accepted: false },
		startedAt: number,
	): void {
		const asksForFewer = failure.kind === 'rateLimited' || failure.httpStatus === 503;
		if (asksForFewer) this.pace.slowDown(startedAt, readRetryAfter(retryAfter) ?? 0);
	}
}

/** What was asked first failed, so that the request itself was never sent. */
const notSentBecause = ({ kind, ...failure }: Failure): Failure =>
	createFailure({ ...failure, kind, outcome: 'notSent', hint: FAILURE_TEXTS[kind].hint });
