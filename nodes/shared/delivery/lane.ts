import { steadyNow } from '../time/clock';
import type { Moment, PaceSignal, Refusals } from './refusals';

/** What became of the wait for a turn: a request may start now; or it never will, because the run was stopped, or Max Wait is over. */
export type WaitEnd = 'go' | 'stopped' | 'expired';

/** How many requests of one run may start. */
export interface LaneRules {
	/** Items that may be under way at a time, from their first turn until they leave. */
	readonly maxConcurrentRequests: number;
	/** Requests that may start in a second, evenly spaced; 0 for no limit. */
	readonly requestsPerSecond: number;
	/** Aborted when the run is to start nothing more. */
	readonly signal: AbortSignal;
}

/** The gate, as a lane sees it. */
interface Keeper {
	readonly refusals: Refusals;
	learn(startedAt: number, said: PaceSignal): void;
	wake(): void;
	close(lane: Lane): void;
}

/** The way of one run through the gate: one queue for its items, the earlier ones first. */
export class Lane {
	/** In milliseconds since the epoch. */
	readonly beganAt = steadyNow();

	/** When the next request may start by the run's own rate, in milliseconds since the epoch. */
	nextStart = 0;

	/** How many items have a turn: a request of theirs is on its way, or about to be. */
	inFlight = 0;

	/** The items that have had a turn and have not left: each has a seat. */
	readonly underWay = new Set<Turn>();

	/** The items that wait for a turn, in the order of the run. */
	private waiting: Turn[] = [];

	constructor(
		readonly gate: Keeper,
		private readonly rules: LaneRules,
	) {
		rules.signal.addEventListener('abort', this.stop, { once: true });
	}

	/**
	 * An item that is to be sent. It has to leave when it has its result.
	 *
	 * @param index of the item in the run; lower ones get their turns first
	 * @param maxWait how long the item may wait until the service takes it, in milliseconds
	 */
	enter(index: number, maxWait: number): Turn {
		return new Turn(this, index, maxWait);
	}

	/** When the service wants to be asked again, in milliseconds since the epoch, if it said so. */
	get askAgainAt(): number | undefined {
		return this.gate.refusals.heldUntil(steadyNow()) || undefined;
	}

	/** The run is over. What it has in flight no longer counts. */
	close(): void {
		this.rules.signal.removeEventListener('abort', this.stop);
		this.gate.close(this);
	}

	/** The item that gets the next turn. */
	get next(): Turn | undefined {
		return this.waiting.find(this.isInLine);
	}

	/** Resolves when the item has a turn, or will never have one. */
	async wait(turns: Turn): Promise<WaitEnd> {
		if (this.rules.signal.aborted) return 'stopped';
		return await new Promise((settle) => {
			turns.settle = settle;
			this.waiting.push(turns);
			this.waiting.sort((one, other) => one.index - other.index);
			this.gate.wake();
		});
	}

	/** Gives the next item its turn. */
	start(moment: Moment): void {
		const { next } = this;
		if (next === undefined) return;
		const { requestsPerSecond } = this.rules;
		if (requestsPerSecond > 0) this.nextStart = moment.now + 1_000 / requestsPerSecond;
		this.underWay.add(next);
		this.inFlight++;
		next.start(moment);
		this.endWait([next], 'go');
	}

	/**
	 * Ends the wait of items that have waited for a refusing service as long as they may.
	 *
	 * @param isAsking true while a request asks whether a hold still lasts
	 */
	expire(moment: Moment, isAsking: boolean): void {
		const heldUntil = this.gate.refusals.heldUntil(moment.now, this.beganAt);
		const expired = this.waiting.filter(this.isInLine).filter((turns) => {
			if (heldUntil > 0 || isAsking) turns.startClock(moment);
			const left = turns.left(moment);
			return left <= 0 || heldUntil - moment.now > left;
		});
		if (expired.length > 0) this.endWait(expired, 'expired');
	}

	private endWait(ended: readonly Turn[], waitEnd: WaitEnd): void {
		this.waiting = this.waiting.filter((turns) => !ended.includes(turns));
		for (const turns of ended) turns.settle(waitEnd);
	}

	/** True if the item may have a turn: it has a seat, or there is a free one. */
	private readonly isInLine = (turns: Turn): boolean =>
		this.underWay.size < this.rules.maxConcurrentRequests || this.underWay.has(turns);

	private readonly stop = (): void => {
		this.endWait(this.waiting, 'stopped');
	};
}

/**
 * The turns of one item at the gate. A turn is kept until the item waits for something or leaves: so a failure halts
 * the run before another item gets the turn.
 */
export class Turn {
	/** Ends the wait for a turn. */
	settle: (waitEnd: WaitEnd) => void = () => undefined;

	private turn: 'none' | 'unused' | 'used' = 'none';

	/**
	 * The clock that measures Max Wait: `now` while the item has a turn, and `refusedFor` while it waits for one, since that
	 * clock stands still unless the service refuses everything.
	 */
	private clock: keyof Moment = 'now';

	/** What the clock showed when Max Wait began: when the service asked the item to wait for the first time. */
	private begunAt: number | undefined;

	constructor(
		private readonly lane: Lane,
		readonly index: number,
		private readonly maxWait: number,
	) {}

	/** Waits for a turn, unless the item has one that it has not used. */
	async take(): Promise<WaitEnd> {
		if (this.turn === 'unused') return 'go';
		if (this.turn === 'used') this.giveBack();
		this.goBy('refusedFor', this.moment());
		return await this.lane.wait(this);
	}

	/**
	 * To be called when a request was sent in this turn. The gate learns the said before another request starts.
	 *
	 * @param startedAt in milliseconds since the epoch
	 */
	use(startedAt: number, said: PaceSignal): void {
		this.turn = 'used';
		this.lane.gate.learn(startedAt, said);
	}

	/** Lets others have the turn, if there is one. The item keeps its seat. */
	giveBack(): void {
		if (this.turn !== 'none') this.lane.inFlight--;
		this.turn = 'none';
		this.lane.gate.wake();
	}

	/** The item has its result: others may have its turn and its seat. */
	leave(): void {
		this.lane.underWay.delete(this);
		this.giveBack();
	}

	/** The service has just refused the item: begins Max Wait, unless it has begun. Returns what is left of it, in milliseconds. */
	beginWaiting(): number {
		const moment = this.moment();
		this.startClock(moment);
		return this.left(moment);
	}

	/** Gives the item a turn. */
	start(moment: Moment): void {
		this.turn = 'unused';
		this.goBy('now', moment);
	}

	/** Begins Max Wait, unless it has begun. */
	startClock(moment: Moment): void {
		this.begunAt ??= moment[this.clock];
	}

	/** What is left of Max Wait, in milliseconds; `Infinity` before it has begun. */
	left(moment: Moment): number {
		return this.begunAt === undefined
			? Infinity
			: this.maxWait - (moment[this.clock] - this.begunAt);
	}

	/** Changes the clock of Max Wait. What has passed of it stays the same. */
	private goBy(clock: keyof Moment, moment: Moment): void {
		if (this.begunAt !== undefined) this.begunAt += moment[clock] - moment[this.clock];
		this.clock = clock;
	}

	private moment(): Moment {
		return this.lane.gate.refusals.moment(steadyNow());
	}
}
