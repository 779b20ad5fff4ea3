import { sleep } from 'n8n-workflow';

import { ProcessState } from '../processState';
import { steadyNow } from '../time/clock';
import { giveWay, MAX_SLEEP } from '../time/wait';
import { Lane, type LaneRules } from './lane';
import { Pace } from './pace';

/** How long a gate that nobody uses keeps what it has learned, in milliseconds. */
const KEPT_FOR = 60_000;

/**
 * The one way to a service for all runs of this process. Its rules:
 *
 * - In flight: 10 requests at first. After as many good answers as may be in flight, it is doubled,
 *   to at most twice what was in flight, and 200. A refusal halves what is in flight; answers to
 *   earlier requests do not raise it. A run with none in flight may have one more, unless refusals
 *   brought it below 10: no single call waits for others' slow answers.
 * - In a second: no limit before the first refusal. It sets a rate: nine tenths of what the service
 *   accepted in the second before. A later one leaves at least half of the rate, and 1, and is the
 *   ceiling. Each second of use raises the rate by 5 before there is a ceiling, and then by a tenth
 *   of its distance to it, above and below: by 0.5 % at least, and 5 at most. So it stays long near
 *   what was refused, and is soon away from it.
 * - A refusal counts once for all requests that began until a second after it. Without a rate,
 *   starts beyond those in flight are 50 ms apart. A late start makes up 50 ms, but not of a hold.
 * - A Retry-After holds back everything. One of over 30 seconds does not count for runs that begin
 *   later: one of them asks with one request, the others await its answer or the end. A good answer
 *   ends the hold; any other, or a further such hold, extends it to all runs begun by then.
 * - Runs take turns. Within a run, lower indexes go first, and it keeps to its own limits.
 * - Max Wait is wall time, from the item's first refusal, or from when a Retry-After holds it back.
 *   A hold longer than what is left ends the wait at once. Each second, the gate ends what is over.
 *
 * Another process of n8n has its own gate. They find their shares through the service's refusals.
 */
export class Gate {
	/** Is forgotten when nobody has used the gate for a minute. */
	pace = new Pace();

	/** When the last run ended, in milliseconds since the epoch. */
	private endedAt = steadyNow();

	/** The open lanes; the one that started a request last is at the end. */
	private lanes: readonly Lane[] = [];

	/** The run whose request started last, if it started in a hold: it asks about the hold. */
	private asking: Lane | undefined;

	/** True while {@link startDue} runs. */
	private isAwake = false;

	/** When the gate wakes by itself; `Infinity` if it does not. */
	private wakesAt = Infinity;

	get isIdle(): boolean {
		return this.lanes.length === 0;
	}

	get inFlight(): number {
		return this.lanes.reduce((sum, lane) => sum + lane.inFlight, 0);
	}

	/** Lets a run begin. */
	open(rules: LaneRules): Lane {
		const lane = new Lane(this, rules);
		const usedUntil = Math.max(this.endedAt, this.pace.heldUntil());
		if (this.isIdle && steadyNow() - usedUntil > KEPT_FOR) this.pace = new Pace();
		this.lanes = [...this.lanes, lane];
		return lane;
	}

	close(lane: Lane): void {
		this.lanes = this.lanes.filter((open) => open !== lane);
		if (this.asking === lane) this.asking = undefined;
		this.endedAt = steadyNow();
		this.wake();
	}

	/** Starts the requests that may start now. To be called whenever that may have changed. */
	wake(): void {
		if (!this.isAwake) void this.startDue();
	}

	/** Says until when a hold keeps a run waiting. While one asks about it, it counts for all. */
	heldUntil(lane: Lane): number {
		const isAsking = this.asking !== undefined && this.asking.inFlight > 0;
		return this.pace.heldUntil(isAsking ? undefined : lane.beganAt);
	}

	private async startDue(): Promise<void> {
		this.isAwake = true;
		// Before the next one starts, the item may leave or halt its run, and n8n may do other work.
		while (this.startOne(steadyNow())) await giveWay();
		this.isAwake = false;
		const now = steadyNow();
		for (const lane of this.lanes) lane.expire(now);
		if (this.lanes.some(({ next }) => next !== undefined)) await this.wakeLater(now);
	}

	/** Starts a request if one may start now; true if it has. */
	private startOne(now: number): boolean {
		const dueAt = this.dueTimes();
		const lane = this.lanes.find((open) => dueAt(open) <= now);
		const turn = lane?.next;
		if (lane === undefined || turn === undefined) return false;
		this.lanes = [...this.lanes.filter((open) => open !== lane), lane];
		this.asking = this.pace.heldUntil() > now ? lane : undefined;
		this.pace.started(now);
		lane.start(turn, now);
		turn.among = this.inFlight;
		return true;
	}

	/** Says when a run's next request may start; `Infinity` if none waits, or another has to end. */
	private dueTimes(): (lane: Lane) => number {
		const { inFlight } = this;
		return (lane) => {
			if (lane.next === undefined) return Infinity;
			const paced = this.pace.nextStart(inFlight, lane.inFlight === 0);
			return Math.max(paced, lane.nextStart, this.heldUntil(lane));
		};
	}

	/** Wakes when the passing of time lets a request start, and in a second at the latest. */
	private async wakeLater(now: number): Promise<void> {
		const due = Math.min(...this.lanes.map(this.dueTimes()));
		const time = now + Math.min(Math.max(due - now, 1), MAX_SLEEP);
		if (time >= this.wakesAt) return;
		this.wakesAt = time;
		await sleep(time - now);
		// Else one that was to wake it earlier goes on.
		if (this.wakesAt !== time) return;
		this.wakesAt = Infinity;
		this.wake();
	}
}

/** What the service has been seen to take, by address and API key. */
const gates = new ProcessState<Gate>(100, ({ isIdle }) => isIdle);

/** Gives the gate of this name, of all runs whose requests the service counts together. */
export const gateOf = (name: string): Gate => gates.get(name, () => new Gate());
