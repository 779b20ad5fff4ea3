const SECOND = 1_000;

/** Requests in flight at first. */
const FIRST_IN_FLIGHT = 10;

/** The most requests in flight; no run may have more either. */
const MAX_IN_FLIGHT = 200;

/** The gap between starts beyond what may be in flight while no rate is known, in milliseconds. */
const GAP = 50;

/** How late a request may start without slowing down the ones after it, in milliseconds. */
const MADE_UP = 50;

/** The part of what was accepted that is the next rate: the network bunches requests. */
const SHARE_OF_ACCEPTED = 0.9;

/** What a second of use adds to the rate: of its distance to the ceiling, of itself, at most. */
const RAISE = { ofDistance: 0.1, least: 0.005, most: 5 };

/** The longest hold that counts for runs that begin later, in milliseconds. */
const LONGEST_SHARED = 30 * SECOND;

/**
 * What an answer says about the pace: the service served the request, with whatever result; it
 * asked to come back later, or neither is known.
 */
export type PaceSignal =
	| { readonly kind: 'served' }
	/** `holdFor`: how long nothing may start, in milliseconds, if the service said so. */
	| { readonly kind: 'refused'; readonly holdFor?: number }
	| { readonly kind: 'unknown' };

/** What the service has been seen to take. All times are in milliseconds since the epoch. */
export class Pace {
	/** How many requests may be in flight. */
	private allowed = FIRST_IN_FLIGHT;

	/** Answers to requests that it served, since {@link allowed} has changed. */
	private answers = 0;

	/** How many may start in a second. */
	private rate = Infinity;

	/** The rate that was refused last; `Infinity` before the second refusal. */
	private ceiling = Infinity;

	private lastStart = 0;

	private refusedAt = 0;

	/** When the requests that the service served in the last second were answered. */
	private readonly servedAt: number[] = [];

	private holdUntil = 0;

	/** A hold of more than 30 seconds. It counts for runs that had begun by `since`. */
	private longHold = { since: 0, until: 0 };

	/** Says until when a Retry-After holds back a run that began then; in the past if none does. */
	heldUntil(beganAt = 0): number {
		const { since, until } = this.longHold;
		return beganAt <= since ? Math.max(this.holdUntil, until) : this.holdUntil;
	}

	/**
	 * Says when the next request may start, holds aside; `Infinity` if one in flight must end.
	 *
	 * @param inFlight how many are in flight now
	 * @param isSingle true if none of them is of the same run
	 */
	nextStart(inFlight: number, isSingle: boolean): number {
		const hasRoom = inFlight < this.allowed;
		const isExempt = isSingle && this.allowed >= FIRST_IN_FLIGHT && inFlight < MAX_IN_FLIGHT;
		if (!hasRoom && !isExempt) return Infinity;
		return hasRoom && this.rate === Infinity ? 0 : this.lastStart + this.gap;
	}

	started(now: number): void {
		const late = Math.max(now - MADE_UP, Math.min(this.heldUntil(), now));
		this.lastStart = Math.max(Math.min(this.lastStart + this.gap, now), late);
	}

	/** Learns from one of so many requests. If it started in a long hold, it has asked about it. */
	learn(startedAt: number, signal: PaceSignal, now: number, inFlight: number): void {
		if (startedAt > this.longHold.since) {
			const until = signal.kind === 'served' ? 0 : this.longHold.until;
			this.longHold = { since: now, until };
		}
		if (signal.kind === 'served') this.servedAt.push(now);
		while (this.servedAt[0] !== undefined && this.servedAt[0] <= now - SECOND)
			this.servedAt.shift();
		if (signal.kind === 'served') this.speedUp(startedAt, inFlight);
		if (signal.kind !== 'refused') return;
		this.slowDown(startedAt, now, inFlight);
		this.hold(now, signal.holdFor ?? 0);
	}

	private speedUp(startedAt: number, inFlight: number): void {
		if (startedAt <= this.refusedAt) return;
		const distance = Math.abs(this.ceiling - this.rate);
		const raise = Math.max(RAISE.ofDistance * distance, RAISE.least * this.rate);
		if (this.rate < Infinity) this.rate += Math.min(raise, RAISE.most) / this.rate;
		const raised = Math.min(2 * this.allowed, 2 * inFlight, MAX_IN_FLIGHT);
		if (++this.answers < this.allowed || raised <= this.allowed) return;
		this.answers = 0;
		this.allowed = raised;
	}

	private slowDown(startedAt: number, now: number, inFlight: number): void {
		if (startedAt <= this.refusedAt + SECOND) return;
		const refusedRate = Math.min(this.rate, this.servedAt.length);
		const isFirst = this.rate === Infinity;
		// What the first refuses can be a burst, far below the limit.
		this.ceiling = isFirst ? Infinity : refusedRate;
		this.rate = Math.max(1, isFirst ? 0 : this.rate / 2, SHARE_OF_ACCEPTED * refusedRate);
		this.allowed = Math.max(1, Math.floor(Math.min(this.allowed, inFlight) / 2));
		this.answers = 0;
		this.refusedAt = now;
	}

	private hold(now: number, holdFor: number): void {
		const until = now + holdFor;
		if (holdFor <= LONGEST_SHARED) this.holdUntil = Math.max(this.holdUntil, until);
		else this.longHold = { since: now, until: Math.max(this.longHold.until, until) };
	}

	/** The least time between two starts, in milliseconds. */
	private get gap(): number {
		return this.rate === Infinity ? GAP : SECOND / this.rate;
	}
}
