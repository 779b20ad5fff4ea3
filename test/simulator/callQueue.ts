import { randomUUID } from 'node:crypto';
import type { Clock } from './clock';

export type CallPriority = 0 | 1 | 2;

/** A call that the service has accepted. Times are ms since the epoch, by the service's clock. */
export interface Call {
	readonly id: string;
	readonly fromNumber: string;
	readonly toNumber: string;
	readonly priority: CallPriority;
	readonly attributes: Readonly<Record<string, unknown>>;
	readonly placedAt: number;
	/** Missing while it is queued. */
	startedAt?: number;
	endedAt?: number;
	/** The body of its end-of-call webhook. */
	event?: Readonly<Record<string, unknown>>;
}

/** A call that was started. */
export type StartedCall = Call & { startedAt: number };

type NewCall = Pick<Call, 'fromNumber' | 'toNumber' | 'priority'> &
	Partial<Pick<Call, 'attributes'>>;

/** Places calls up to the concurrent call limit and queues the others (S 3 rule 1, S 4.4, S 8.1). */
export class CallQueue {
	/** Every call in the order of arrival, those that have ended included. */
	readonly all: Call[] = [];
	readonly #active = new Map<string, StartedCall>();
	readonly #waiting: Record<CallPriority, Set<Call>> = {
		0: new Set(),
		1: new Set(),
		2: new Set(),
	};

	constructor(
		private readonly limit: number,
		private readonly clock: Clock,
		private readonly onStart: (call: StartedCall) => void,
	) {}

	place({ attributes = {}, ...rest }: NewCall): { callId: string; status: 'placed' | 'queued' } {
		const call: Call = { id: randomUUID(), ...rest, attributes, placedAt: this.clock.now() };
		this.all.push(call);
		if (this.#active.size < this.limit) {
			this.#start(call);
			return { callId: call.id, status: 'placed' };
		}
		this.#waiting[call.priority].add(call);
		return { callId: call.id, status: 'queued' };
	}

	/** Ends a call, and the next one of the queue starts; undefined when no such call is going on. */
	end(callId: string): StartedCall | undefined {
		const call = this.#active.get(callId);
		if (!call) return undefined;
		call.endedAt = this.clock.now();
		this.#active.delete(callId);
		this.#startNext();
		return call;
	}

	/** Own choice: high priority first, then in order of arrival; S 4.4 shows only that calls have a priority. */
	#startNext(): void {
		for (const waiting of [this.#waiting[2], this.#waiting[1], this.#waiting[0]]) {
			for (const call of waiting) {
				waiting.delete(call);
				this.#start(call);
				return;
			}
		}
	}

	#start(call: Call): void {
		const started = Object.assign(call, { startedAt: this.clock.now() });
		this.#active.set(started.id, started);
		this.onStart(started);
	}
}
