const SECOND = 1_000;

/** Requests in flight at first. */
const FIRST_IN_FLIGHT = 10;

/** The most requests in flight; no run may have more either. */
export const MAX_IN_FLIGHT = 200;

/** A little more than a second: with exactly one, jitter of the network would lead to refusals. */
const WINDOW = SECOND / 0.95;

/**
 * The least time between two starts, as a part of the time between evenly spaced ones. Below 1, so that a single call
 * does not wait for the next second, and the time lost to a hold is made up.
 */
const SPREAD = 0.8;

/** The least time between two starts beyond {@link Allowance.inFlight}, in milliseconds, while no rate is known. */
const GAP = 5;

/** A learned rate of at least this many per second is trusted; a lower one may be chance. */
const TRUSTED = 4;

/** For how many seconds of use a rate is kept after the first refusal, and after a later one at most. */
const PATIENCE = { first: 2, most: 12 };

/** Then the rate is raised by this factor, and again after each second of use, until the next refusal. */
const RAISE = { by: 1.25, after: 1 };

/**
 * What the service has been seen to accept: how many requests in flight, and how many in a second.
 *
 * In flight: 10 at first; twice as many after as many good answers, 200 at most; half as many after a refusal, once for
 * what was in flight together. Slow answers of others hold nobody up: a run with nothing in flight may have one request
 * beyond that (one each 5 ms), unless a refusal came of which no rate could be learned, until 10 may be in flight again.
 *
 * In a second: no limit until the first refusal. Then as many as were accepted of those that started in the second
 * before the last start, at least half of the earlier limit and at least 1. Answers to them that come later count, too:
 * which answer comes first is chance. After 12 seconds of use it is a quarter more, and again after each further second,
 * until the next refusal. A limit below 4 may be low by chance: it is kept for 2 seconds, after the next refusal for 4,
 * and so on up to 12.
 *
 * All times are in milliseconds since the epoch.
 */
export class Allowance {
	/** How many requests may be in flight. */
	inFlight = FIRST_IN_FLIGHT;

	/** Whether each run may have one request in flight whatever the others have. */
	hasSlotForEach = true;

	/** How many may start within {@link WINDOW}. */
	private perWindow = Infinity;

	/** For how many seconds of use the limit is kept: now, and after the next refusal. */
	private keep = { now: PATIENCE.first, next: PATIENCE.first };

	/** Starts within the last window, oldest first; at least the last one. */
	private starts: number[] = [];

	/** Starts within the last second or two whose answers were good, in the order of the answers. */
	private accepted: number[] = [];

	private learnedAt = 0;

	/** What the limit was learned from: the accepted starts between two times, and the limit before. */
	private lesson = { from: 0, to: 0, accepted: 0, most: Infinity };

	private answersInFlight = 0;

	private answersSinceRaise = 0;

	/** When the next request may start, with so many in flight. */
	nextStart(now: number, inFlight: number): number {
		this.forget(now);
		const last = this.starts.at(-1);
		if (last === undefined) return now;
		if (this.perWindow === Infinity) return inFlight < this.inFlight ? now : last + GAP;
		const first = this.starts.at(-this.perWindow);
		const spread = last + (SPREAD * WINDOW) / this.perWindow;
		return first === undefined ? spread : Math.max(spread, first + WINDOW);
	}

	started(now: number): void {
		this.starts.push(now);
	}

	/** The service answered as it should. */
	succeeded(startedAt: number): void {
		this.accepted.push(startedAt);
		const { from, to, accepted } = this.lesson;
		// Its answer was still missing when the limit was set.
		if (startedAt > from && startedAt <= to) this.setLimit(accepted + 1);
		if (++this.answersSinceRaise > this.keep.now * this.perWindow) {
			this.answersSinceRaise = 0;
			this.keep.now = RAISE.after;
			this.perWindow = Math.ceil(this.perWindow * RAISE.by);
		}
		if (++this.answersInFlight < this.inFlight) return;
		this.answersInFlight = 0;
		this.inFlight = Math.min(this.inFlight * 2, MAX_IN_FLIGHT);
		if (this.inFlight >= FIRST_IN_FLIGHT) this.hasSlotForEach = true;
	}

	/**
	 * The service asked for fewer requests.
	 *
	 * @param isRate false if it wants to be asked again at once: then it does not count requests in a second
	 */
	refused(startedAt: number, now: number, isRate: boolean): void {
		this.answersInFlight = 0;
		if (startedAt < this.learnedAt) return;
		this.learnedAt = now;
		this.inFlight = Math.max(1, Math.floor(this.inFlight / 2));
		this.hasSlotForEach = false;
		if (!isRate) return;
		const most = this.perWindow;
		const from = (this.starts.at(-1) ?? startedAt) - SECOND;
		this.perWindow = most === Infinity ? 1 : Math.max(1, Math.floor(most / 2));
		this.lesson = { from, to: now, accepted: 0, most };
		this.answersSinceRaise = 0;
		this.keep = { now: this.keep.next, next: Math.min(this.keep.next * 2, PATIENCE.most) };
		this.setLimit(this.accepted.filter((start) => start > from).length);
	}

	/** Raises the limit to what was accepted in the time of the {@link lesson}, but not above the limit before. */
	private setLimit(accepted: number): void {
		this.lesson.accepted = accepted;
		this.perWindow = Math.max(this.perWindow, Math.min(accepted, this.lesson.most));
		if (accepted < TRUSTED) return;
		this.keep = { now: PATIENCE.most, next: PATIENCE.most };
		this.hasSlotForEach = true;
	}

	private forget(now: number): void {
		while (this.starts.length > 1 && (this.starts[0] ?? now) <= now - WINDOW) this.starts.shift();
		while ((this.accepted[0] ?? now) <= now - 2 * SECOND) this.accepted.shift();
	}
}
