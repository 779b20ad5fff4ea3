import { giveWay, waitUnlessAborted } from './wait';

const FIRST_LIMIT = 10;

/** Starting a request takes about a millisecond; after so many, n8n gets to do other work. */
const STARTS_AT_A_STRETCH = 4;

const SECOND = 1000;

/** After so many seconds without a refusal the learned rate is raised by {@link RAISE}. */
const SECONDS_UNTIL_RAISE = 20;

const RAISE = 1.25;

/** How much of what a service was seen to allow is used: at the very limit any jitter is refused. */
const LEARNED_SHARE = 0.95;

/**
 * Says when the next request of a run may start: how many may be in flight, how many may start in a
 * second, and when the service asked to come back.
 *
 * The limit in flight starts at 10, doubles after as many clean answers as it allows, and halves when
 * the service asks for fewer requests (429, 503), but only once for what was in flight together. Such a
 * refusal also teaches the rate: from then on a little fewer start in a second than were answered well in
 * the one before it, evenly spaced, and a quarter more after 20 seconds without a refusal.
 */
export class Pace {
	private limit: number;

	private inFlight = 0;

	private cleanAnswers = 0;

	private halvedAt = 0;

	/** Nothing starts before this time: the service said when to come back. */
	private heldUntil = 0;

	/** When the next request may start by the rate. */
	private nextStart = 0;

	private readonly maxRate: number;

	/** Requests a second; what the user allows, until a refusal teaches less. */
	private rate: number;

	/** When the good answers of the last second came. */
	private recentAnswers: number[] = [];

	private answersSinceRaise = 0;

	private startsInStretch = 0;

	private queue: Promise<void> = Promise.resolve();

	private wake: () => void = () => undefined;

	constructor(
		private readonly maxInFlight: number,
		requestsPerSecond: number,
		private readonly signal?: AbortSignal,
	) {
		this.maxRate = requestsPerSecond > 0 ? requestsPerSecond : Infinity;
		this.rate = this.maxRate;
		this.limit = Math.min(FIRST_LIMIT, maxInFlight);
		signal?.addEventListener(
			'abort',
			() => {
				this.wake();
			},
			{ once: true },
		);
	}

	/** Waits for a place among the items in flight. To be called by one caller at a time. */
	async enter(): Promise<void> {
		while (this.inFlight >= this.limit && this.signal?.aborted !== true) {
			await new Promise<void>((resolve) => {
				this.wake = resolve;
			});
		}
		this.inFlight++;
	}

	leave(): void {
		this.inFlight--;
		this.wake();
	}

	/** Waits until the next request may start. Callers go in the order in which they came. */
	async start(): Promise<void> {
		const turn = this.queue.then(async () => {
			await this.takeTurn();
		});
		this.queue = turn;
		await turn;
	}

	private async takeTurn(): Promise<void> {
		let due = Date.now();
		while (this.signal?.aborted !== true) {
			const next = Math.max(this.heldUntil, this.nextStart);
			if (next <= Date.now()) break;
			due = next;
			await waitUnlessAborted(next - Date.now(), this.signal);
		}
		this.nextStart = this.startAfter(due);
		if (++this.startsInStretch >= STARTS_AT_A_STRETCH) {
			this.startsInStretch = 0;
			await giveWay();
		}
	}

	/** A timer that rings late does not slow a learned rate; a rate of the user's is never exceeded. */
	private startAfter(due: number): number {
		const interval = SECOND / this.rate;
		const now = Date.now();
		return (this.rate < this.maxRate ? Math.max(due, now - interval) : now) + interval;
	}

	/** The service answered as it should. */
	speedUp(): void {
		this.recentAnswers.push(Date.now());
		this.countRecentAnswers();
		if (++this.answersSinceRaise > SECONDS_UNTIL_RAISE * this.rate) {
			this.answersSinceRaise = 0;
			this.rate = Math.min(this.rate * RAISE, this.maxRate);
		}
		if (++this.cleanAnswers < this.limit) return;
		this.cleanAnswers = 0;
		this.limit = Math.min(this.limit * 2, this.maxInFlight);
	}

	/**
	 * The service asked for fewer requests.
	 *
	 * @param startedAt when the request that it refused was started, in milliseconds since the epoch
	 * @param holdFor how long nothing may start, in milliseconds
	 */
	slowDown(startedAt: number, holdFor: number): void {
		this.cleanAnswers = 0;
		this.heldUntil = Math.max(this.heldUntil, Date.now() + holdFor);
		if (startedAt < this.halvedAt) return;
		this.halvedAt = Date.now();
		this.learnRate();
		this.limit = Math.max(1, Math.floor(this.limit / 2));
	}

	/** What was answered in the last second is about what the service allows; at most it halves the rate. */
	private learnRate(): void {
		const half = this.rate === Infinity ? 0 : this.rate / 2;
		const learned = Math.max(this.countRecentAnswers() * LEARNED_SHARE, half);
		this.answersSinceRaise = 0;
		if (learned > 0) this.rate = Math.min(this.rate, Math.max(learned, 1));
	}

	private countRecentAnswers(): number {
		const since = Date.now() - SECOND;
		while ((this.recentAnswers[0] ?? Infinity) < since) this.recentAnswers.shift();
		return this.recentAnswers.length;
	}
}
