/** A moment: the time, and for how long the service has refused everything until then, both in milliseconds. */
export interface Moment {
	/** Milliseconds since the epoch. */
	readonly now: number;
	readonly refusedFor: number;
}

/**
 * How long an item still waits until the service takes it. The clock starts when the service asks the item to wait
 * for the first time. It stands still while the item waits for its turn although the service takes requests.
 */
export class MaxWait {
	private startedAt: number | undefined;

	/** For how long the clock stood still. */
	private paced = 0;

	/** Since when the item waits for its turn. */
	private waiting: Moment | undefined;

	/** @param maxWait in milliseconds */
	constructor(private readonly maxWait: number) {}

	/** Starts the clock, unless it is going. */
	start(moment: Moment): void {
		if (this.startedAt !== undefined) return;
		this.startedAt = moment.now;
		if (this.waiting) this.waiting = moment;
	}

	/** The item waits for its turn from now on. */
	wait(moment: Moment): void {
		this.waiting = moment;
	}

	/** The item has its turn. */
	go(moment: Moment): void {
		this.paced += this.pacedUntil(moment);
		this.waiting = undefined;
	}

	/** What is left of the time, in milliseconds; `Infinity` before the clock has started. */
	left(moment: Moment): number {
		if (this.startedAt === undefined) return Infinity;
		const waited = moment.now - this.startedAt - this.paced - this.pacedUntil(moment);
		return this.maxWait - waited;
	}

	private pacedUntil({ now, refusedFor }: Moment): number {
		if (this.startedAt === undefined || this.waiting === undefined) return 0;
		return now - this.waiting.now - (refusedFor - this.waiting.refusedFor);
	}
}
