import { steadyNow } from '../time/clock';
import type { Gate } from './gate';
import type { Moment, MaxWait } from './maxWait';

/** Whether a request may start now, or why it never will. */
export type Turn = 'start' | 'stopped' | 'expired';

/**
 * What an answer says about the pace: the service processed the request (with whatever result), it asked to come back
 * later, or neither is known.
 */
export type Verdict =
	| { readonly kind: 'taken' }
	/** `holdFor`: how long nothing may start, in milliseconds, if the service said so. */
	| { readonly kind: 'refused'; readonly holdFor?: number }
	| { readonly kind: 'unknown' };

/** The rules of one run. */
export interface LaneOptions {
	/** Requests that may start in a second, evenly spaced; 0 for no limit. */
	readonly requestsPerSecond: number;
	/** Aborted when the run is to start nothing more. */
	readonly signal: AbortSignal;
}

/** A request that waits for its turn. */
interface Waiting {
	/** The place of its item in the run. */
	readonly order: number;
	readonly maxWait: MaxWait;
	readonly settle: (turn: Turn) => void;
}

/** The way of one run through the gate. Earlier items go first. */
export class Lane {
	/** In milliseconds since the epoch. */
	readonly beganAt = steadyNow();

	/** When the next request may start by the run's own rate, in milliseconds since the epoch. */
	nextStart = 0;

	inFlight = 0;

	private waiting: Waiting[] = [];

	constructor(
		private readonly gate: Gate,
		private readonly options: LaneOptions,
	) {
		options.signal.addEventListener('abort', this.stop, { once: true });
	}

	get isWaiting(): boolean {
		return this.waiting.length > 0;
	}

	/**
	 * Waits until a request may start. After `start`, {@link end} has to be called once, and before it {@link answered} if
	 * the request was sent.
	 *
	 * @param order the place of the request's item in the run
	 */
	async turn(order: number, maxWait: MaxWait): Promise<Turn> {
		if (this.options.signal.aborted) return 'stopped';
		maxWait.wait(this.gate.moment());
		return await new Promise((settle) => {
			const later = this.waiting.findIndex((other) => other.order > order);
			this.waiting.splice(later < 0 ? this.waiting.length : later, 0, { order, maxWait, settle });
			this.gate.look();
		});
	}

	/**
	 * What became of a request. It counts at once; its place is free only after {@link end}.
	 *
	 * @param startedAt in milliseconds since the epoch
	 */
	answered(startedAt: number, verdict: Verdict): void {
		this.gate.learn(startedAt, verdict);
	}

	/** Lets another request have the place. */
	end(): void {
		this.inFlight--;
		this.gate.end(this);
	}

	/** How long the item still waits for the service, which has just refused it; in milliseconds. */
	waitLeft(maxWait: MaxWait): number {
		const moment = this.gate.moment();
		maxWait.start(moment);
		return maxWait.left(moment);
	}

	/** When the service wants to be asked again, in milliseconds since the epoch, if it said so. */
	get askAgainAt(): number | undefined {
		return this.gate.heldUntil;
	}

	/** The run is over. What it has in flight no longer counts. */
	close(): void {
		this.options.signal.removeEventListener('abort', this.stop);
		this.gate.close(this);
	}

	/** Lets the first request start. */
	start(moment: Moment): void {
		const { requestsPerSecond } = this.options;
		if (requestsPerSecond > 0) this.nextStart = moment.now + 1_000 / requestsPerSecond;
		const first = this.waiting.shift();
		if (first === undefined) return;
		this.inFlight++;
		first.maxWait.go(moment);
		first.settle('start');
	}

	/** Ends the wait of those that would have to wait too long. */
	expire(isTooLong: (maxWait: MaxWait) => boolean): void {
		const expired = this.waiting.filter(({ maxWait }) => isTooLong(maxWait));
		if (expired.length === 0) return;
		this.waiting = this.waiting.filter((other) => !expired.includes(other));
		for (const { settle } of expired) settle('expired');
	}

	private readonly stop = (): void => {
		for (const { settle } of this.waiting.splice(0)) settle('stopped');
	};
}
