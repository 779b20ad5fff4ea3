import type { Arrival } from '../../../test/simulator/control';

/** What became of the calls of a burst. */
export interface Outcome {
	once: number;
	moreThanOnce: number;
	lost: number;
	/** Executions that ended with an error. */
	failed: number;
	/** Requests that the service got for a call: on average, and for the call with the most. */
	requestsPerCall: number;
	mostRequests: number;
}

/** How often something came, by name. */
function countBy(names: readonly (string | null)[]): Map<string | null, number> {
	const counts = new Map<string | null, number>();
	for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
	return counts;
}

/** Who was called how often, and with how many requests. */
export function outcomeOf(arrivals: readonly Arrival[], calls: number, failed: number): Outcome {
	const requests = [...countBy(arrivals.map(({ recipient }) => recipient)).values()];
	const served = arrivals.filter(({ processed }) => processed);
	const times = [...countBy(served.map(({ recipient }) => recipient)).values()];
	const once = times.filter((count) => count === 1).length;
	return {
		once,
		moreThanOnce: times.length - once,
		lost: calls - times.length,
		failed,
		requestsPerCall: arrivals.length / calls,
		mostRequests: Math.max(0, ...requests),
	};
}

/** When the service acted on a call, in order. */
export const servedTimes = (arrivals: readonly Arrival[]): number[] =>
	arrivals.flatMap(({ processed, at }) => (processed ? [at] : []));

/** What the service allows: so many in any second or, with a bucket of so many, so many a second on average. */
export interface Limit {
	requestsPerSecond: number;
	bucket?: number;
}

/**
 * When the last of these calls could have been served at the earliest: each as soon as it came, or when the limit allows
 * it. Within any second: a second after the one that is so many before it. With a bucket: when it holds one more.
 *
 * @param cameAt when n8n sent the calls where nothing was limited, in milliseconds, in order
 */
export function idealEnd(cameAt: readonly number[], { requestsPerSecond, bucket }: Limit): number {
	const interval = 1000 / requestsPerSecond;
	const served: number[] = [];
	let fullAt = -Infinity;
	for (const [index, came] of cameAt.entries()) {
		const at =
			bucket === undefined
				? Math.max(came, (served[index - requestsPerSecond] ?? -Infinity) + 1000)
				: Math.max(came, fullAt - (bucket - 1) * interval);
		fullAt = Math.max(fullAt, at) + interval;
		served.push(at);
	}
	return served.at(-1) ?? NaN;
}
