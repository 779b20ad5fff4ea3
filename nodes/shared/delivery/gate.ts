import { sleep } from 'n8n-workflow';

import { gates } from '../processState';
import { steadyNow } from '../time/clock';
import { giveWay, MAX_SLEEP } from '../time/wait';
import { Allowance, MAX_IN_FLIGHT } from './allowance';
import { Lane, type LaneRules } from './lane';
import { Refusals, type PaceSignal } from './refusals';

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
	readonly refusals = new Refusals();

	private readonly allowance = new Allowance();

	/** The open lanes; the one that started a request last is at the end. */
	private lanes: Lane[] = [];

	/** The run whose request was the last to start, if it started in a hold. */
	private asking: Lane | undefined;

	private starts = 0;

	/** True while {@link startDue} runs. */
	private isAwake = false;

	/** When the gate wakes by itself; `Infinity` if it does not. */
	private wakesAt = Infinity;

	/** True if no run uses it. */
	get isIdle(): boolean {
		return this.lanes.length === 0;
	}

	open(rules: LaneRules): Lane {
		const lane = new Lane(this, rules);
		this.lanes.push(lane);
		return lane;
	}

	/** What the run has in flight no longer counts. */
	close(lane: Lane): void {
		this.lanes = this.lanes.filter((other) => other !== lane);
		if (this.asking === lane) this.asking = undefined;
		this.wake();
	}

	/** Learns from a request that started at this time, in milliseconds since the epoch. */
	learn(startedAt: number, said: PaceSignal): void {
		const now = steadyNow();
		this.refusals.learn(startedAt, said, now);
		if (said.kind === 'taken') this.allowance.succeeded(startedAt);
		if (said.kind === 'refused') this.allowance.refused(startedAt, now, said.holdFor !== 0);
	}

	/** Starts the requests that may start now. To be called whenever that may have changed. */
	wake(): void {
		if (!this.isAwake) void this.startDue();
	}

	private async startDue(): Promise<void> {
		this.isAwake = true;
		for (;;) {
			const now = steadyNow();
			this.expire(now);
			const lane = this.nextLane(now);
			if (lane === undefined) break;
			this.lanes = [...this.lanes.filter((other) => other !== lane), lane];
			this.asking = this.refusals.heldUntil(now) > 0 ? lane : undefined;
			this.allowance.started(now);
			lane.start(this.refusals.moment(now));
			if (++this.starts % STARTS_AT_A_STRETCH === 0) await giveWay();
		}
		this.isAwake = false;
		void this.wakeLater();
	}

	private nextLane(now: number): Lane | undefined {
		if (this.allowance.nextStart(now, this.inFlight) > now) return undefined;
		const dueAt = this.dueTimes(now);
		return this.lanes.find((lane) => dueAt(lane) <= now);
	}

	private get inFlight(): number {
		return this.lanes.reduce((sum, lane) => sum + lane.inFlight, 0);
	}

	/** Says when a run's next request may start; `Infinity` if none waits, or it waits for the end of another. */
	private dueTimes(now: number): (lane: Lane) => number {
		const { inFlight: most, hasSlotForEach } = this.allowance;
		const { inFlight } = this;
		const paced = this.allowance.nextStart(now, inFlight);
		const isAsking = this.isAsking(now);
		return (lane) => {
			const slots = lane.inFlight === 0 && hasSlotForEach ? MAX_IN_FLIGHT : most;
			if (isAsking || inFlight >= slots || lane.next === undefined) return Infinity;
			return Math.max(paced, lane.nextStart, this.refusals.heldUntil(now, lane.beganAt));
		};
	}

	/** True while a run that began in a hold asks with one request whether the hold still lasts. No other starts then. */
	private isAsking(now: number): boolean {
		return (this.asking?.inFlight ?? 0) > 0 && this.refusals.heldUntil(now) > 0;
	}

	/** Ends the wait of items that have waited for a refusing service as long as they may. */
	private expire(now: number): void {
		if (!this.refusals.isRefusing) return;
		const moment = this.refusals.moment(now);
		const isAsking = this.isAsking(now);
		for (const lane of this.lanes) lane.expire(moment, isAsking);
	}

	/** Wakes when the passing of time lets a request start or ends the wait of an item; at least once in a second. */
	private async wakeLater(): Promise<void> {
		const now = steadyNow();
		const due = Math.min(...this.lanes.map(this.dueTimes(now)));
		// If all slots are taken, the end of a request wakes the gate. Only the wait of an item can end before.
		const mayExpire = this.refusals.isRefusing && this.lanes.some(({ next }) => next !== undefined);
		if (due === Infinity && !mayExpire) return;
		const time = now + Math.min(Math.max(due - now, 1), MAX_SLEEP);
		if (time >= this.wakesAt) return;
		this.wakesAt = time;
		await sleep(time - now);
		this.wakesAt = Infinity;
		this.wake();
	}
}

/** The gate of this name, of all runs whose requests the service counts together. */
export const gateOf = (name: string): Gate => gates.get(name, () => new Gate());
