const SECOND = 1_000;

/** Requests in flight at first. */
const FIRST_IN_FLIGHT = 10;

/** The most requests in flight; no run may have more either. */
const MAX_IN_FLIGHT = 200;

/** The gap between starts beyond what may be in flight while no rate is known, in milliseconds. */
const GAP = 50;

/** How late a request may start without slowing down the ones after it, in milliseconds. */
const MADE_UP = 100;

/** The part of what was accepted that is the next rate: the network bunches requests. */
const KEPT = 0.9;

/** By how much a second of use raises the rate. The first rate tells a burst from a limit badly. */
const RAISE = { first: 5, later: 0.5 };

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
	private inFlight = FIRST_IN_FLIGHT;

	/** Answers to requests that it served, since {@link inFlight} has changed. */
	private answers = 0;

	/** How many may start in a second. */
	private rate = Infinity;

	private raise = 0;

	private lastStart = 0;

	private refusedAt = 0;

	/** When the requests that the service served in the last second were answered. */
	private readonly served: number[] = [];

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
		const hasRoom = inFlight < this.inFlight;
		const isExempt = isSingle && this.inFlight >= FIRST_IN_FLIGHT && inFlight < MAX_IN_FLIGHT;
		if (!hasRoom && !isExempt) return Infinity;
		return hasRoom && this.rate === Infinity ? 0 : this.lastStart + this.gap;
	}

	started(now: number): void {
		this.lastStart = Math.max(Math.min(this.lastStart + this.gap, now), now - MADE_UP);
	}

	/** Learns from a request. One that started in a long hold has asked whether it still lasts. */
	learn(startedAt: number, said: PaceSignal, now: number): void {
		if (startedAt > this.longHold.since) {
			const until = said.kind === 'served' ? 0 : this.longHold.until;
			this.longHold = { since: now, until };
		}
		if (said.kind === 'served') this.speedUp(startedAt, now);
		if (said.kind !== 'refused') return;
		this.slowDown(startedAt, now);
		this.hold(now, said.holdFor ?? 0);
	}

	private speedUp(startedAt: number, now: number): void {
		this.served.push(now);
		this.forgetOld(now);
		if (startedAt <= this.refusedAt) return;
		this.rate += this.raise / this.rate;
		if (++this.answers < this.inFlight) return;
		this.answers = 0;
		this.inFlight = Math.min(this.inFlight * 2, MAX_IN_FLIGHT);
	}

	private slowDown(startedAt: number, now: number): void {
		if (startedAt <= this.refusedAt + SECOND) return;
		const isFirst = this.rate === Infinity;
		this.forgetOld(now);
		const least = isFirst ? 1 : Math.max(1, this.rate / 2);
		this.rate = Math.max(least, KEPT * Math.min(this.rate, this.served.length));
		this.raise = isFirst ? RAISE.first : RAISE.later;
		this.inFlight = Math.max(1, Math.floor(this.inFlight / 2));
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

	private forgetOld(now: number): void {
		while (this.served[0] !== undefined && this.served[0] <= now - SECOND) this.served.shift();
	}
}
