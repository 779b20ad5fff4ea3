import { recipientOf } from '../../test/simulator/recipient';
import { ASSISTANT_ID, FROM_NUMBER } from '../../test/simulator/seed';
import { startSimulator, type RecordedRequest } from '../../test/simulator/simulator';

/** What became of calls. */
export interface Outcome {
	once: number;
	moreThanOnce: number;
	lost: number;
	/** Requests that the service got for a call: on average, and for the call with the most. */
	requestsPerCall: number;
	mostRequests: number;
}

/** How often each name came. */
function countBy(names: readonly (string | undefined)[]): number[] {
	const counts = new Map<string | undefined, number>();
	for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
	return [...counts.values()];
}

/** Who was called how often, and with how many requests. */
export function outcomeOf(arrivals: readonly RecordedRequest[], calls: number): Outcome {
	const requests = countBy(arrivals.map(recipientOf));
	const times = countBy(arrivals.filter(({ processed }) => processed).map(recipientOf));
	const onceOnly = times.filter((count) => count === 1).length;
	return {
		once: onceOnly,
		moreThanOnce: times.length - onceOnly,
		lost: calls - times.length,
		requestsPerCall: arrivals.length / calls,
		mostRequests: Math.max(0, ...requests),
	};
}

/** The simulated service. It is in this process, so that it takes no time from that of n8n. */
export async function startService() {
	const simulator = await startSimulator();
	const { baseUrl, apiKey, workspaceId } = simulator;
	return {
		...{ baseUrl, apiKey, workspaceId },
		stop: async () => simulator.stop(),
		/** Who calls. */
		sender: { assistantId: ASSISTANT_ID, fromNumber: FROM_NUMBER },
		/** Forgets what arrived, and allows so many requests in any second from now on; `null` for everything. */
		prepare: (requestsPerSecond: number | null, latencyMs = 0) => {
			simulator.setTraffic({ latencyMs, requestsPerSecond });
			simulator.reset();
		},
		/** How many requests it had at once. */
		peakInFlight: () => Math.max(0, ...simulator.requests.map(({ inFlight }) => inFlight)),
		/** Every request for a call, in the order in which they came. */
		arrivals: () => simulator.requests.filter(({ endpoint }) => endpoint === 'placeCall'),
	};
}

export type Service = Awaited<ReturnType<typeof startService>>;
