import { randomUUID } from 'node:crypto';
import type { Clock } from './clock';

export type CallPriority = 0 | 1 | 2;

interface Call {
	id: string;
	toNumber: string;
	priority: CallPriority;
}

/** A call that is going on. */
export interface ActiveCall extends Call {
	startedAt: number;
}

/** Places calls up to the concurrent call limit and queues the others (S 3 rule 1, S 4.4, S 8.1). */
export class CallQueue {
	readonly #active = new Map<string, ActiveCall>();
	readonly #waiting: Record<CallPriority, Set<Call>> = {
		0: new Set(),
		1: new Set(),
		2: new Set(),
	};

	constructor(
		private readonly limit: number,
		private readonly clock: Clock,
		private readonly onStart: (call: ActiveCall) => void,
	) {}

	place(toNumber: string, priority: CallPriority): { callId: string; status: 'placed' | 'queued' } {
		const call = { id: randomUUID(), toNumber, priority };
		if (this.#active.size < this.limit) {
			this.#start(call);
			return { callId: call.id, status: 'placed' };
		}
		this.#waiting[priority].add(call);
		return { callId: call.id, status: 'queued' };
	}

	/** Ends a call, and the next one of the queue starts; undefined when no such call is going on. */
	end(callId: string): ActiveCall | undefined {
		const call = this.#active.get(callId);
		if (!call) return undefined;
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
		const active = { ...call, startedAt: this.clock.now() };
		this.#active.set(call.id, active);
		this.onStart(active);
	}
}
