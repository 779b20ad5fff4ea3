import type { Lane, Verdict } from '../../../nodes/shared/delivery/lane';

/** A request that started at this time has its answer, and its place is free. */
export function endRequest(lane: Lane, startedAt: number, verdict: Verdict): void {
	lane.answered(startedAt, verdict);
	lane.end();
}
