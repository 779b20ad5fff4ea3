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

/**
 * When the last of these calls could have been served at the earliest, if no more than so many are served within any
 * second: each as soon as it came, or a second after the one that is so many before it.
 *
 * @param cameAt when n8n sent the calls where nothing was limited, in milliseconds, in order
 */
export function idealEnd(cameAt: readonly number[], perSecond: number): number {
	const served: number[] = [];
	for (const [index, at] of cameAt.entries()) {
		served.push(Math.max(at, (served[index - perSecond] ?? -Infinity) + 1000));
	}
	return served.at(-1) ?? NaN;
}
