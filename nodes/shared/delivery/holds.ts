import type { Verdict } from './lane';

/** The longest hold that counts for runs that begin later, in milliseconds. */
const LONGEST_SHARED = 30_000;

/** Nothing starts before `until`. Times are in milliseconds since the epoch. */
interface Hold {
	/** It counts for runs that have begun by then. */
	readonly since: number;
	readonly until: number;
	/** True if it counts for runs that begin later, too. */
	readonly isShared: boolean;
}

/** What the service has said by Retry-After: until when it takes no requests. All times are in milliseconds since the epoch. */
export class Holds {
	private holds: readonly Hold[] = [];

	/** Until when requests are held back that count as begun at this time; 0 if they are not. */
	until(now: number, beganAt = 0): number {
		const counting = this.holds.filter(({ since, isShared }) => isShared || beganAt <= since);
		const until = Math.max(0, ...counting.map((hold) => hold.until));
		return until > now ? until : 0;
	}

	/**
	 * Learns from a request. One that started in a hold has asked whether the hold still lasts: if it was taken, the hold
	 * is over, else it counts for all runs that have begun.
	 */
	learn(startedAt: number, verdict: Verdict, now: number): void {
		const isTaken = verdict.kind === 'taken';
		this.holds = this.holds
			.filter(({ since, until }) => until > now && !(isTaken && since < startedAt))
			.map((hold) => (hold.since < startedAt ? { ...hold, since: now } : hold));
		if (verdict.kind === 'refused') this.add(now, verdict.holdFor ?? 0);
	}

	private add(since: number, holdFor: number): void {
		const added = { since, until: since + holdFor, isShared: holdFor <= LONGEST_SHARED };
		const isLeft = ({ until, isShared }: Hold): boolean =>
			until > added.until || (isShared && !added.isShared);
		if (holdFor > 0) this.holds = [...this.holds.filter(isLeft), added];
	}
}
