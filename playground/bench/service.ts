import axios from 'axios';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ASSISTANT_ID, FROM_NUMBER } from '../../test/simulator/seed';
import type { TrafficOptions } from '../../test/simulator/contract';
import type { Arrival } from '../../test/simulator/control';
import { END_WITH_PARENT } from '../processes';

const ROOT = path.join(__dirname, '..', '..');
const CLI = path.join(ROOT, 'test', 'simulator', 'cli.ts');

/** Who was reached, and how many requests the service had at once. */
export interface Delivered {
	once: number;
	moreThanOnce: number;
	requests: number;
	peakInFlight: number;
}

interface Summary {
	endpoints: Record<string, { arrived: number; processed: number } | undefined>;
	recipients: { total: number; once: number; moreThanOnce: number };
	peakInFlight: number;
}

/** The simulated service in a process of its own, so that it takes no time from n8n. */
export interface Service {
	baseUrl: string;
	apiKey: string;
	workspaceId: string;
	assistantId: string;
	fromNumber: string;
	/** Forgets what arrived, and behaves like this from now on. */
	prepare(
		traffic: Required<Pick<TrafficOptions, 'latencyMs' | 'requestsPerSecond'>> &
			Pick<TrafficOptions, 'bucket'>,
	): Promise<void>;
	delivered(): Promise<Delivered>;
	/** Every request for a call, in the order in which they came. */
	arrivals(): Promise<Arrival[]>;
	stop: () => Promise<void>;
}

export async function startService(): Promise<Service> {
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
		prepare: async (traffic) => {
			await control.post('/options', traffic);
			await control.post('/reset');
		},
		delivered: async () => {
			const { endpoints, recipients, peakInFlight } = (await control.get<Summary>('/summary')).data;
			const { once: onceOnly, moreThanOnce } = recipients;
			const requests = endpoints.placeCall?.arrived ?? 0;
			return { once: onceOnly, moreThanOnce, requests, peakInFlight };
		},
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
