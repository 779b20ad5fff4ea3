/**
 * At most so many requests within any second, or a shorter window: a ring of the last accepted arrival times.
 * Own choice: S 8.4 shows no rate limits; refused requests do not count.
 */
export class RateLimiter {
	readonly #arrivals: number[];
	#oldest = 0;

	constructor(
		requestsPerSecond: number,
		private readonly windowMs = 1000,
	) {
		if (requestsPerSecond < 1) throw new RangeError('At least one request per second');
		this.#arrivals = new Array<number>(requestsPerSecond).fill(-Infinity);
	}

	/** 0 when the request may pass, else the whole seconds until one may. */
	secondsToWait(now: number): number {
		const wait = (this.#arrivals[this.#oldest] ?? -Infinity) + this.windowMs - now;
		if (wait > 0) return Math.ceil(wait / 1000);
		this.#arrivals[this.#oldest] = now;
		this.#oldest = (this.#oldest + 1) % this.#arrivals.length;
		return 0;
	}
}
