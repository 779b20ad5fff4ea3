import { steadyNow } from '../time/clock';
import type { Pace, PaceSignal } from './pace';

/** How the wait for a turn ended: the request may start, the run stopped, or Max Wait is over. */
export type WaitResult = 'go' | 'stopped' | 'expired';

/** How many requests of one run may start. */
export interface LaneRules {
	/** Items that may be under way at a time, from their first turn until they leave. */
	readonly maxConcurrentRequests: number;
	/** Requests that may start in a second, evenly spaced; 0 for no limit. */
	readonly requestsPerSecond: number;
	/** Aborted when the run is to start nothing more. */
	readonly signal: AbortSignal;
}

/** What a lane needs of the gate of all runs. */
interface GateOfLane {
	readonly pace: Pace;
	/** How many requests of all runs are in flight. */
	readonly inFlight: number;
	wake(): void;
	close(lane: Lane): void;
	heldUntil(lane: Lane): number;
}

/** The way of one run through the gate. */
export class Lane {
	/** In milliseconds since the epoch, as all times here. */
	readonly beganAt = steadyNow();

	/** When the next request may start by the run's own rate. */
	nextStart = 0;

	/** How many items have a turn. */
	inFlight = 0;

	/** The items that have had a turn and have not left, at most `maxConcurrentRequests`. */
	readonly begun = new Set<Turn>();

	/** The items that wait for a turn, in the order of the run. */
	private waiting: Turn[] = [];

	constructor(
		readonly gate: GateOfLane,
		private readonly rules: LaneRules,
	) {
		rules.signal.addEventListener('abort', this.stop, { once: true });
	}

	/** When the service wants to be asked again, if it said so. */
	get askAgainAt(): number | undefined {
		const until = this.gate.pace.heldUntil();
		return until > steadyNow() ? until : undefined;
	}

	/** Ends the run. What it has in flight no longer counts. */
	close(): void {
		this.rules.signal.removeEventListener('abort', this.stop);
		this.gate.close(this);
	}

	/** The item that gets the next turn. */
	get next(): Turn | undefined {
		return this.waiting.find(this.isInLine);
	}

	/** Resolves when the item has a turn, or will never have one. */
	async wait(turn: Turn): Promise<WaitResult> {
		if (this.rules.signal.aborted) return 'stopped';
		return await new Promise((resolve) => {
			turn.endWait = resolve;
			this.waiting.push(turn);
			this.waiting.sort((first, second) => first.index - second.index);
			this.gate.wake();
		});
	}

	/** Gives this item, the {@link next}, its turn. */
	start(turn: Turn, now: number): void {
		const { requestsPerSecond } = this.rules;
		if (requestsPerSecond > 0) this.nextStart = now + 1_000 / requestsPerSecond;
		this.begun.add(turn);
		this.inFlight++;
		this.endWait([turn], 'go');
	}

	/** Ends waits whose Max Wait is over, or will be before a hold ends. A hold begins Max Wait. */
	expire(now: number): void {
		const isHeld = this.gate.heldUntil(this) > now;
		const heldFor = this.gate.pace.heldUntil(this.beganAt) - now;
		const expired = this.waiting.filter(this.isInLine).filter((turn) => {
			const left = isHeld ? turn.beginWaiting() : turn.waitsUntil - now;
			return left <= 0 || heldFor > left;
		});
		if (expired.length > 0) this.endWait(expired, 'expired');
	}

	private endWait(ended: readonly Turn[], waitResult: WaitResult): void {
		this.waiting = this.waiting.filter((turn) => !ended.includes(turn));
		for (const turn of ended) turn.endWait(waitResult);
	}

	/** Says whether the item has begun, or may. */
	private readonly isInLine = (turn: Turn): boolean =>
		this.begun.size < this.rules.maxConcurrentRequests || this.begun.has(turn);

	private readonly stop = (): void => {
		this.endWait(this.waiting, 'stopped');
	};
}

/**
 * The turn of one item at the gate. It is kept until the item waits for something or leaves, as it
 * has to when it has its result: so a failure halts the run before another item gets the turn.
 */
export class Turn {
	/** Ends the wait for the turn. */
	endWait: (waitResult: WaitResult) => void = () => undefined;

	/** How many requests were in flight when it began, with its own. */
	among = 0;

	private state: 'none' | 'unused' | 'used' = 'none';

	/** When Max Wait is over; `Infinity` before it has begun. */
	waitsUntil = Infinity;

	/**
	 * @param index of the item in the run; lower ones go first
	 * @param maxWait how long the item may wait until the service takes it, in milliseconds
	 */
	constructor(
		private readonly lane: Lane,
		readonly index: number,
		private readonly maxWait: number,
	) {}

	/** Waits for a turn, unless the item has one that it has not used. */
	async take(): Promise<WaitResult> {
		if (this.state === 'unused') return 'go';
		this.giveBack();
		const waitResult = await this.lane.wait(this);
		if (waitResult === 'go') this.state = 'unused';
		return waitResult;
	}

	/**
	 * Notes that a request was sent in this turn. The gate learns from it before another starts.
	 *
	 * @param startedAt in milliseconds since the epoch
	 */
	use(startedAt: number, signal: PaceSignal): void {
		this.state = 'used';
		const { gate } = this.lane;
		gate.pace.learn(startedAt, signal, steadyNow(), Math.max(this.among, gate.inFlight));
	}

	/** Lets others have the turn, if there is one, until the item goes on. */
	giveBack(): void {
		if (this.state !== 'none') this.lane.inFlight--;
		this.state = 'none';
		this.lane.gate.wake();
	}

	/** Lets others have the turn, and another item begin: this one has its result. */
	leave(): void {
		this.lane.begun.delete(this);
		this.giveBack();
	}

	/** Begins Max Wait, unless it has begun. Gives what is left of it, in milliseconds. */
	beginWaiting(): number {
		const now = steadyNow();
		this.waitsUntil = Math.min(this.waitsUntil, now + this.maxWait);
		return this.waitsUntil - now;
	}
}
