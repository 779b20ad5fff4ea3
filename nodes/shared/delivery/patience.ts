/**
 * How long an item still waits until the service takes it. The clock starts when the service asks the item to
 * wait, and runs only while the service refuses; waiting for a turn in between does not count.
 */
export class Patience {
	private startedAt: number | undefined;

	/** @param maxWait in milliseconds */
	constructor(private readonly maxWait: number) {}

	/** @param refusedFor for how long the service has refused all that was sent so far, in milliseconds */
	start(refusedFor: number): void {
		this.startedAt ??= refusedFor;
	}

	/** What is left at that time, in milliseconds; all of it before {@link start}. */
	left(refusedFor: number): number {
		return this.maxWait - (refusedFor - (this.startedAt ?? refusedFor));
	}
}
