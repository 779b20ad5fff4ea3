import { recipientOf } from '../../test/simulator/recipient';
import type { RecordedRequest, Simulator } from '../../test/simulator/simulator';

/** What became of calls. */
export interface Outcome {
	once: number;
	moreThanOnce: number;
	lost: number;
	/** Requests that the service got for a call, on average. */
	requestsPerCall: number;
	/** How many requests the service had at once. */
	peakInFlight: number;
}

/** Who was called how often, and with how many requests; all of them were for calls. */
export function outcomeOf(arrivals: readonly RecordedRequest[], calls: number): Outcome {
	const times = new Map<string | undefined, number>();
	for (const request of arrivals.filter(({ processed }) => processed)) {
		const phone = recipientOf(request);
		times.set(phone, (times.get(phone) ?? 0) + 1);
	}
	const once = [...times.values()].filter((count) => count === 1).length;
	return {
		once,
		moreThanOnce: times.size - once,
		lost: calls - times.size,
		requestsPerCall: arrivals.length / calls,
		peakInFlight: Math.max(0, ...arrivals.map(({ inFlight }) => inFlight)),
	};
}

/** Forgets what arrived, and allows so many requests in any second from now on; `null` for everything. */
export function prepare(
	simulator: Simulator,
	requestsPerSecond: number | null,
	latencyMs = 0,
): void {
	simulator.setTraffic({ latencyMs, requestsPerSecond });
	simulator.reset();
}
