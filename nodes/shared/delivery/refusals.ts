/** The longest hold that counts for runs that begin later, in milliseconds. */
const LONGEST_SHARED = 30_000;

/**
 * What an answer says about the pace: the service processed the request (with whatever result), it asked to come back
 * later, or neither is known.
 */
export type PaceSignal =
	| { readonly kind: 'taken' }
	/** `holdFor`: how long nothing may start, in milliseconds, if the service said so. */
	| { readonly kind: 'refused'; readonly holdFor?: number }
	| { readonly kind: 'unknown' };

/** A moment: the time, and for how long the service has refused everything until then, both in milliseconds. */
export interface Moment {
	/** Milliseconds since the epoch. */
	readonly now: number;
	readonly refusedFor: number;
}

/** Nothing starts before `until`. */
interface Hold {
	/** It counts for runs that have begun by then. */
	readonly since: number;
	readonly until: number;
	/** True if it counts for runs that begin later, too. */
	readonly isShared: boolean;
}

/**
 * What the service has refused: until when it takes no requests, if it has said so by Retry-After, and for how long it
 * has taken none. All times are in milliseconds since the epoch.
 */
export class Refusals {
	private holds: readonly Hold[] = [];

	/** Since when the service has refused all that was sent; `undefined` while it takes requests. */
	private refusingSince: number | undefined;

	/** For how long it did so before, in milliseconds. */
	private refusedBefore = 0;

	private lastRefusal = 0;

	/** True if the service takes no requests, as far as is known. */
	get isRefusing(): boolean {
		return this.refusingSince !== undefined;
	}

	/** Until when requests are held back of a run that began at this time; 0 if they are not. */
	heldUntil(now: number, beganAt = 0): number {
		return this.holds.reduce((latest, { since, until, isShared }) => {
			const counts = until > now && (isShared || beganAt <= since);
			return counts ? Math.max(latest, until) : latest;
		}, 0);
	}

	moment(now: number): Moment {
		return { now, refusedFor: this.refusedBefore + now - (this.refusingSince ?? now) };
	}

	/**
	 * Learns from a request. One that started in a hold has asked whether the hold still lasts: if it was taken, the hold
	 * is over, else it counts for all runs that have begun.
	 */
	learn(startedAt: number, said: PaceSignal, now: number): void {
		const isTaken = said.kind === 'taken';
		this.holds = this.holds
			.filter(({ since, until }) => until > now && !(isTaken && since < startedAt))
			.map((hold) => (hold.since < startedAt ? { ...hold, since: now } : hold));
		if (said.kind === 'refused') {
			this.hold(now, said.holdFor ?? 0);
			this.lastRefusal = now;
			this.refusingSince ??= now;
		}
		// An answer to an earlier request does not say that the service takes them again.
		if (!isTaken || startedAt < this.lastRefusal || this.heldUntil(now) > 0) return;
		this.refusedBefore = this.moment(now).refusedFor;
		this.refusingSince = undefined;
	}

	private hold(since: number, holdFor: number): void {
		const added = { since, until: since + holdFor, isShared: holdFor <= LONGEST_SHARED };
		const isLeft = ({ until, isShared }: Hold): boolean =>
			until > added.until || (isShared && !added.isShared);
		if (holdFor > 0) this.holds = [...this.holds.filter(isLeft), added];
	}
}
