/** Says for each request whether it may pass. Refused requests do not count. */
export interface Limiter {
	/** 0 when the request may pass, else the whole seconds until one may. */
	secondsToWait(now: number): number;
}

/**
 * At most so many requests within any second: a ring of the last accepted arrival times.
 * Own choice: S 8.4 shows no rate limits; refused requests do not count.
 */
export class RateLimiter implements Limiter {
	readonly #arrivals: number[];
	#oldest = 0;

	constructor(requestsPerSecond: number) {
		if (requestsPerSecond < 1) throw new RangeError('At least one request per second');
		this.#arrivals = new Array<number>(requestsPerSecond).fill(-Infinity);
	}

	secondsToWait(now: number): number {
		const wait = (this.#arrivals[this.#oldest] ?? -Infinity) + 1000 - now;
		if (wait > 0) return Math.ceil(wait / 1000);
		this.#arrivals[this.#oldest] = now;
		this.#oldest = (this.#oldest + 1) % this.#arrivals.length;
		return 0;
	}
}

/** A bucket of so many requests, full at first. It fills up evenly, by so many a second. */
class TokenBucket implements Limiter {
	readonly #interval: number;
	/** When the bucket is full again. */
	#fullAt = -Infinity;

	constructor(
		requestsPerSecond: number,
		private readonly size: number,
	) {
		if (requestsPerSecond < 1 || size < 1) throw new RangeError('At least one request per second');
		this.#interval = 1000 / requestsPerSecond;
	}

	secondsToWait(now: number): number {
		const fullAt = Math.max(this.#fullAt, now) + this.#interval;
		const wait = fullAt - this.size * this.#interval - now;
		// Less than a microsecond is an error of rounding.
		if (wait > 0.001) return Math.ceil(wait / 1000);
		this.#fullAt = fullAt;
		return 0;
	}
}

/** The limiter of a service that allows so many a second: in any window, or with a bucket. */
export const limiterOf = (traffic: { requestsPerSecond: number; bucket?: number }): Limiter =>
	traffic.bucket === undefined
		? new RateLimiter(traffic.requestsPerSecond)
		: new TokenBucket(traffic.requestsPerSecond, traffic.bucket);
