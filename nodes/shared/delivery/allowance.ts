const SECOND = 1_000;

/** Requests in flight at first. */
const FIRST_IN_FLIGHT = 10;

/** The most requests in flight; no run may have more either. */
export const MAX_IN_FLIGHT = 200;

/** A little more than a second: with exactly one, jitter of the network would lead to refusals. */
const WINDOW = SECOND / 0.95;

/**
 * The least distance between two starts, as a part of their even distance. Below 1, so that a single call does not wait
 * for the next second, and the time lost to a hold is made up.
 */
const SPREAD = 0.8;

/** A learned rate of at least this many per second is trusted; a lower one may be chance. */
const TRUSTED = 4;

/** After how many seconds without a refusal a rate is raised, and by which factor. */
const RAISE = { trusted: { after: 20, by: 1.25 }, other: { after: 2, by: 2 } };

/**
 * What the service has been seen to accept: how many requests in flight, and how many in a second.
 *
 * In flight: 10 at first; twice as many after as many good answers, 200 at most; half as many after a refusal, once for
 * what was in flight together. Slow answers of others hold nobody up: a run with nothing in flight may have one request
 * beyond that, unless a refusal came of which no rate could be learned, until there are 10 places again.
 *
 * In a second: no limit until the first refusal. Then as many as were accepted of those that started in the second
 * before it, at least half of the earlier limit and at least 1. After 20 seconds without a refusal a quarter more. A
 * limit below 4 may be low by chance: it is doubled after 2 seconds, after the next refusal 4, and so on up to 20.
 *
 * All times are in milliseconds since the epoch.
 */
export class Allowance {
	/** How many requests may be in flight. */
	inFlight = FIRST_IN_FLIGHT;

	/** Whether each run may have one request in flight whatever the others have. */
	hasPlaceForEach = true;

	/** How many may start within {@link WINDOW}. */
	private perWindow = Infinity;

	/** How the limit is raised next. */
	private raise = { ...RAISE.other, after: RAISE.other.after / 2 };

	/** Starts within the last window, oldest first. */
	private starts: number[] = [];

	/** Starts within the last second or two whose answers were good, in the order of the answers. */
	private accepted: number[] = [];

	private learnedAt = 0;

	/** What the limit was learned from: the accepted starts between two times, and its bounds. */
	private lesson = { begin: 0, end: 0, accepted: 0, least: 1, most: Infinity };

	private answersInFlight = 0;

	private answersSinceRefusal = 0;

	/** When the next request may start. */
	nextStart(now: number): number {
		this.forget(now);
		const first = this.starts.at(-this.perWindow);
		const last = this.starts.at(-1);
		if (this.perWindow === Infinity || last === undefined) return now;
		const spread = last + (SPREAD * WINDOW) / this.perWindow;
		return first === undefined ? spread : Math.max(spread, first + WINDOW);
	}

	started(now: number): void {
		this.starts.push(now);
	}

	/** The service answered as it should. */
	succeeded(startedAt: number): void {
		this.accepted.push(startedAt);
		const { begin, end } = this.lesson;
		// It was still under way when the limit was learned.
		if (startedAt > begin && startedAt <= end) this.learn(this.lesson.accepted + 1);
		if (++this.answersSinceRefusal > this.raise.after * this.perWindow) {
			this.answersSinceRefusal = 0;
			this.perWindow = Math.ceil(this.perWindow * this.raise.by);
		}
		if (++this.answersInFlight < this.inFlight) return;
		this.answersInFlight = 0;
		this.inFlight = Math.min(this.inFlight * 2, MAX_IN_FLIGHT);
		if (this.inFlight >= FIRST_IN_FLIGHT) this.hasPlaceForEach = true;
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
		this.hasPlaceForEach = false;
		if (!isRate) return;
		this.answersSinceRefusal = 0;
		const begin = startedAt - SECOND;
		const accepted = this.accepted.filter((start) => start > begin && start <= startedAt).length;
		const half = this.perWindow === Infinity ? 1 : Math.floor(this.perWindow / 2);
		const least = Math.max(1, half);
		this.lesson = { begin, end: startedAt, accepted: 0, least, most: this.perWindow };
		const after = this.raise.after * 2;
		this.raise = after < RAISE.trusted.after ? { ...RAISE.other, after } : RAISE.trusted;
		this.learn(accepted);
	}

	private learn(accepted: number): void {
		const { least, most } = this.lesson;
		this.lesson.accepted = accepted;
		this.perWindow = Math.min(Math.max(accepted, least), most);
		if (accepted < TRUSTED) return;
		this.raise = RAISE.trusted;
		this.hasPlaceForEach = true;
	}

	private forget(now: number): void {
		while ((this.starts[0] ?? now) <= now - WINDOW) this.starts.shift();
		while ((this.accepted[0] ?? now) <= now - 2 * SECOND) this.accepted.shift();
	}
}
