import { randomUUID } from 'node:crypto';
import type { Clock } from './clock';

type CallPriority = 0 | 1 | 2;

/** A call that the service has placed. Times are ms since the epoch, by the service's clock. */
export interface Call {
	readonly id: string;
	readonly fromNumber: string;
	readonly toNumber: string;
	readonly priority: CallPriority;
	readonly attributes: Readonly<Record<string, unknown>>;
	readonly startedAt: number;
	endedAt?: number;
	/** The body of its end-of-call webhook. */
	event?: Readonly<Record<string, unknown>>;
}

type NewCall = Pick<Call, 'fromNumber' | 'toNumber' | 'priority'> &
	Partial<Pick<Call, 'attributes'>>;

/** Own choice: every call starts at once; there is no concurrent call limit (S 8.1), so none is queued. */
export class Calls {
	/** Every call in the order of arrival, those that have ended included. */
	readonly all: Call[] = [];

	constructor(
		private readonly clock: Clock,
		private readonly onStart: (call: Call) => void,
	) {}

	place({ attributes = {}, ...rest }: NewCall): Call {
		const call: Call = { id: randomUUID(), ...rest, attributes, startedAt: this.clock.now() };
		this.all.push(call);
		this.onStart(call);
		return call;
	}

	/** Ends a call; undefined when no such call is going on. */
	end(callId: string): Call | undefined {
		const call = this.all.find(({ id, endedAt }) => id === callId && endedAt === undefined);
		if (call) call.endedAt = this.clock.now();
		return call;
	}
}
