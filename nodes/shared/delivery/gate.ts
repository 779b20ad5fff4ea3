import { sleep } from 'n8n-workflow';

import { Allowance, MAX_IN_FLIGHT } from './allowance';
import { steadyNow } from '../time/clock';
import { Holds } from './holds';
import { Lane, type LaneOptions, type Verdict } from './lane';
import type { Moment } from './maxWait';
import { giveWay, MAX_SLEEP } from '../time/wait';

/** After how many starts the node yields. Starting a request takes about a millisecond. */
const STARTS_AT_A_STRETCH = 4;

/**
 * The one way to a service for all runs of this process: they share what is learned about its limits, and a
 * Retry-After holds all of them back. Runs take turns, so that a long list does not hold up a single call.
 *
 * A hold of more than 30 seconds does not count for runs that begin later: the next of them asks the service with
 * one request, and the others wait for its answer, but no longer than the hold lasts.
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

	private readonly holds = new Holds();

	/** The run whose request was the last to start, if it started in a hold and has not ended. */
	private asking: Lane | undefined;

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
		if (this.asking === lane) this.asking = undefined;
		if (this.lanes.length === 0) this.idleSince = steadyNow();
		else this.look();
	}

	/** Learns from a request that started at this time. Nothing starts before {@link end}. */
	learn(startedAt: number, verdict: Verdict): void {
		const now = steadyNow();
		this.holds.learn(startedAt, verdict, now);
		if (verdict.kind === 'taken') {
			this.allowance.succeeded(startedAt);
			// An answer to an earlier request does not say that the service takes them again.
			if (startedAt < this.lastRefusal || this.isHolding(now)) return;
			this.refusedBefore = this.moment(now).refusedFor;
			this.refusingSince = undefined;
		} else if (verdict.kind === 'refused') {
			this.allowance.refused(startedAt, now, verdict.holdFor !== 0);
			this.lastRefusal = now;
			this.refusingSince ??= now;
		}
	}

	/** The place of a request of this run is free. */
	end(lane: Lane): void {
		this.inFlight--;
		if (this.asking === lane) this.asking = undefined;
		this.look();
	}

	/** When the service wants to be asked again, in milliseconds since the epoch; `undefined` if now. */
	get heldUntil(): number | undefined {
		return this.holds.until(steadyNow()) || undefined;
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
		this.asking = this.isHolding(now) ? lane : undefined;
		lane.start(this.moment(now));
	}

	private nextLane(now: number): Lane | undefined {
		if (this.allowance.nextStart(now, this.inFlight) > now) return undefined;
		return this.lanes.find(
			(lane) =>
				lane.isWaiting &&
				lane.nextStart <= now &&
				this.hasPlace(lane, now) &&
				this.holds.until(now, lane.beganAt) === 0,
		);
	}

	private isHolding(now: number): boolean {
		return this.holds.until(now) > 0;
	}

	/** True while a run that began in a hold asks with its first request whether the service takes requests again. */
	private isAsking(now: number): boolean {
		return this.asking !== undefined && this.isHolding(now);
	}

	/** While a request asks whether the service takes them again, no other starts. */
	private hasPlace({ inFlight }: Lane, now: number): boolean {
		if (this.isAsking(now)) return false;
		const isFirst = inFlight === 0 && this.allowance.hasPlaceForEach;
		return this.inFlight < (isFirst ? MAX_IN_FLIGHT : this.allowance.inFlight);
	}

	/** Ends the wait of items that have waited for a refusing service as long as they may. */
	private expire(now: number): void {
		if (this.refusingSince === undefined) return;
		const moment = this.moment(now);
		const isAsking = this.isAsking(now);
		for (const lane of this.lanes) {
			const heldUntil = this.holds.until(now, lane.beganAt);
			lane.expire((maxWait) => {
				if (heldUntil > 0 || isAsking) maxWait.start(moment);
				const left = maxWait.left(moment);
				return left <= 0 || heldUntil - now > left;
			});
		}
	}

	/** Looks again when time alone may have changed something: at least once in a second. */
	private async lookAgain(): Promise<void> {
		const waiting = this.lanes.filter((lane) => lane.isWaiting);
		const now = steadyNow();
		const ready = waiting.filter((lane) => this.hasPlace(lane, now));
		// Without a place, the end of a request is waited for, but no longer than an item may wait for the service.
		if (ready.length === 0 && (waiting.length === 0 || this.refusingSince === undefined)) return;
		const first = Math.min(
			...ready.map(({ nextStart, beganAt }) => Math.max(nextStart, this.holds.until(now, beganAt))),
		);
		const due = Math.max(this.allowance.nextStart(now, this.inFlight), first);
		const time = now + Math.min(Math.max(due - now, 1), MAX_SLEEP);
		if (time >= this.nextLook) return;
		this.nextLook = time;
		await sleep(time - now);
		this.nextLook = Infinity;
		this.look();
	}
}
