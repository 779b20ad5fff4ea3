import { sleep } from 'n8n-workflow';

import { Allowance, MAX_IN_FLIGHT } from './allowance';
import { steadyNow } from './clock';
import { Lane, type LaneOptions, type Verdict } from './lane';
import type { Moment } from './maxWait';
import { giveWay, MAX_SLEEP } from './wait';

/** After how many starts the node yields. Starting a request takes about a millisecond. */
const STARTS_AT_A_STRETCH = 4;

/** A longer hold, in milliseconds, does not count for runs that begin later. */
const LONGEST_SHARED_HOLD = 30_000;

/** Nothing starts before `until`; the service said so at `since`. In milliseconds since the epoch. */
interface Hold {
	readonly since: number;
	readonly until: number;
	/** True while a run that began later asks whether the service takes requests again. */
	readonly isAsking: boolean;
}

const NO_HOLD: Hold = { since: 0, until: 0, isAsking: false };

/**
 * The one way to a service for all runs of this process: they share what is learned about its limits, and a
 * Retry-After holds all of them back. Runs take turns, so that a long list does not hold up a single call.
 *
 * A hold of more than 30 seconds does not count for runs that begin later: the next of them asks the service with
 * one request, and the others wait for its answer.
 *
 * Another process of n8n has a gate of its own. They find their shares through the service's refusals.
 */
export class Gate {
	/** When the last run was over, in milliseconds since the epoch; `undefined` while there is one. */
	idleSince: number | undefined;

	private readonly allowance = new Allowance();

	/** The run whose turn it is comes first. */
	private lanes: Lane[] = [];

	private inFlight = 0;

	private hold = NO_HOLD;

	/** Since when the service has refused all that was sent; `undefined` while it takes requests. */
	private refusingSince: number | undefined;

	/** For how long it did so before, in milliseconds. */
	private refusedBefore = 0;

	private lastRefusal = 0;

	private starts = 0;

	private isLooking = false;

	private nextLook = Infinity;

	open(options: LaneOptions): Lane {
		const lane = new Lane(this, options);
		this.lanes.push(lane);
		this.idleSince = undefined;
		return lane;
	}

	close(lane: Lane): void {
		this.lanes = this.lanes.filter((other) => other !== lane);
		this.inFlight -= lane.inFlight;
		if (this.lanes.length === 0) this.idleSince = steadyNow();
		else this.look();
	}

	/** Learns from a request that started at this time. Nothing starts before {@link end}. */
	learn(startedAt: number, verdict: Verdict): void {
		const now = steadyNow();
		const isAnswerToAsking = this.hold.isAsking && startedAt >= this.hold.since;
		if (verdict.kind === 'taken') {
			this.allowance.succeeded(startedAt);
			if (startedAt >= this.lastRefusal) {
				this.refusedBefore = this.moment(now).refusedFor;
				this.refusingSince = undefined;
			}
			if (isAnswerToAsking) this.hold = NO_HOLD;
		} else if (verdict.kind === 'refused') {
			this.allowance.refused(startedAt, now, verdict.holdFor !== 0);
			this.lastRefusal = now;
			this.refusingSince ??= now;
			const until = Math.max(now + (verdict.holdFor ?? 0), this.hold.until);
			if (until > now) this.hold = { since: now, until, isAsking: false };
		} else if (isAnswerToAsking) {
			this.hold = { ...this.hold, since: now, isAsking: false };
		}
	}

	/** The place of a request is free. */
	end(): void {
		this.inFlight--;
		this.look();
	}

	/** When the service wants to be asked again, in milliseconds since the epoch; `undefined` if now. */
	get heldUntil(): number | undefined {
		return this.hold.until > steadyNow() ? this.hold.until : undefined;
	}

	moment(now = steadyNow()): Moment {
		const refusing = this.refusingSince === undefined ? 0 : now - this.refusingSince;
		return { now, refusedFor: this.refusedBefore + refusing };
	}

	/** Starts what may start. To be called whenever more may. */
	look(): void {
		if (!this.isLooking) void this.letStart();
	}

	private async letStart(): Promise<void> {
		this.isLooking = true;
		for (;;) {
			const now = steadyNow();
			this.expire(now);
			const lane = this.nextLane(now);
			if (lane === undefined) break;
			this.start(lane, now);
			if (++this.starts % STARTS_AT_A_STRETCH === 0) await giveWay();
		}
		this.isLooking = false;
		void this.lookAgain();
	}

	private start(lane: Lane, now: number): void {
		this.lanes = [...this.lanes.filter((other) => other !== lane), lane];
		this.inFlight++;
		this.allowance.started(now);
		if (this.hold.until > now) this.hold = { ...this.hold, isAsking: true };
		lane.start(this.moment(now));
	}

	private nextLane(now: number): Lane | undefined {
		if (this.allowance.nextStart(now) > now) return undefined;
		return this.lanes.find(
			(lane) =>
				lane.isWaiting && lane.nextStart <= now && this.hasPlace(lane) && !this.isHeld(lane, now),
		);
	}

	/** While a request asks whether the service takes them again, no other starts. */
	private hasPlace({ inFlight }: Lane): boolean {
		if (this.hold.isAsking) return false;
		const isFirst = inFlight === 0 && this.allowance.hasPlaceForEach;
		return this.inFlight < (isFirst ? MAX_IN_FLIGHT : this.allowance.inFlight);
	}

	/** Whether the hold counts for a run. */
	private isHeld({ beganAt }: Lane, now: number): boolean {
		const { since, until } = this.hold;
		return until > now && (beganAt <= since || until - since <= LONGEST_SHARED_HOLD);
	}

	/** Ends the wait of items that have waited for a refusing service as long as they may. */
	private expire(now: number): void {
		if (this.refusingSince === undefined) return;
		const moment = this.moment(now);
		for (const lane of this.lanes) {
			const isHeld = this.isHeld(lane, now);
			lane.expire((maxWait) => {
				if (isHeld) maxWait.start(moment);
				const left = maxWait.left(moment);
				return isHeld ? this.hold.until - now > left : left <= 0;
			});
		}
	}

	/** Looks again when time alone may have changed something: at least once in a second. */
	private async lookAgain(): Promise<void> {
		const waiting = this.lanes.filter((lane) => lane.isWaiting);
		const ready = waiting.filter((lane) => this.hasPlace(lane));
		// Without a place, the end of a request is waited for, but no longer than an item may wait for the service.
		if (ready.length === 0 && (waiting.length === 0 || this.refusingSince === undefined)) return;
		const now = steadyNow();
		const first = Math.min(...ready.map(({ nextStart }) => nextStart));
		const due = Math.max(this.hold.until, this.allowance.nextStart(now), first);
		const time = now + Math.min(Math.max(due - now, 1), MAX_SLEEP);
		if (time >= this.nextLook) return;
		this.nextLook = time;
		await sleep(time - now);
		this.nextLook = Infinity;
		this.look();
	}
}
