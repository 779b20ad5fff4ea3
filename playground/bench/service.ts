import axios from 'axios';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Arrival } from '../../test/simulator/control';
import { ASSISTANT_ID, FROM_NUMBER } from '../../test/simulator/seed';
import { END_WITH_PARENT } from '../processes';

const ROOT = path.join(__dirname, '..', '..');
const CLI = path.join(ROOT, 'test', 'simulator', 'cli.ts');

/** What the service allows: so many requests in any second or, with a bucket of so many, so many a second on average. */
export interface Limit {
	requestsPerSecond: number;
	bucket?: number;
}

/** A service that saves up nothing while nobody calls. */
export const STRICT: Limit = { requestsPerSecond: 20 };

export function allows(limit: Limit | null): string {
	if (limit === null) return 'the service allows everything';
	const { requestsPerSecond, bucket } = limit;
	const kind = bucket === undefined ? 'within any second' : `a second, ${bucket} at once`;
	return `the service allows ${requestsPerSecond} requests ${kind}`;
}

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
function countBy(names: readonly (string | null)[]): number[] {
	const counts = new Map<string | null, number>();
	for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
	return [...counts.values()];
}

/** Who was called how often, and with how many requests. */
export function outcomeOf(arrivals: readonly Arrival[], calls: number): Outcome {
	const requests = countBy(arrivals.map(({ recipient }) => recipient));
	const times = countBy(arrivals.flatMap((one) => (one.processed ? [one.recipient] : [])));
	const onceOnly = times.filter((count) => count === 1).length;
	return {
		once: onceOnly,
		moreThanOnce: times.length - onceOnly,
		lost: calls - times.length,
		requestsPerCall: arrivals.length / calls,
		mostRequests: Math.max(0, ...requests),
	};
}

/** The simulated service in a process of its own, so that it takes no time from n8n. */
export async function startService() {
	const child = spawn(
		process.execPath,
		['--import', END_WITH_PARENT, '--import', 'tsx', CLI, '--port', '0'],
		// Ctrl-C must reach it only through stop().
		{ cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'], detached: true },
	);
	const ended = once(child, 'exit');
	const firstLine = once(createInterface(child.stdout), 'line') as Promise<[string]>;
	const [line] = await Promise.race([
		firstLine,
		ended.then(() => {
			throw new Error('the simulated service did not start');
		}),
	]);
	const [baseUrl = '', , apiKey = '', , workspaceId = ''] = line.split(/\s+/);
	const control = axios.create({ baseURL: `${new URL(baseUrl).origin}/control`, proxy: false });
	return {
		baseUrl,
		apiKey,
		workspaceId,
		assistantId: ASSISTANT_ID,
		fromNumber: FROM_NUMBER,
		/** Forgets what arrived, and behaves like this from now on; `null` allows everything. */
		prepare: async (limit: Limit | null, latencyMs = 0) => {
			await control.post('/options', { latencyMs, ...(limit ?? { requestsPerSecond: null }) });
			await control.post('/reset');
		},
		/** How many requests it had at once. */
		peakInFlight: async () =>
			(await control.get<{ peakInFlight: number }>('/summary')).data.peakInFlight,
		/** Every request for a call, in the order in which they came. */
		arrivals: async () => {
			const { data } = await control.get<Arrival[]>('/requests');
			return data.filter(({ endpoint }) => endpoint === 'placeCall');
		},
		stop: async () => {
			child.kill('SIGTERM');
			await ended;
		},
	};
}

export type Service = Awaited<ReturnType<typeof startService>>;
