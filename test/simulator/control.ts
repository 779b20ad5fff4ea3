import { z } from 'zod';
import type { RecordedRequest, TrafficOptions } from './contract';
import { jsonReply, type Reply } from './reply';

const trafficBody = z
	.object({
		latencyMs: z.number().nonnegative().optional(),
		requestsPerSecond: z.number().int().positive().nullable().optional(),
		bucket: z.number().int().positive().optional(),
	})
	.strict();

/** What other processes see and steer. */
interface Controlled {
	requests: readonly RecordedRequest[];
	reset(): void;
	setTraffic(options: TrafficOptions): void;
}

interface ControlRoute {
	method: string;
	path: string;
	handle(simulator: Controlled, body: unknown): unknown;
}

const ROUTES: readonly ControlRoute[] = [
	{ method: 'GET', path: '/control/summary', handle: ({ requests }) => summarize(requests) },
	{ method: 'GET', path: '/control/requests', handle: ({ requests }) => requests.map(arrivalOf) },
	{
		method: 'POST',
		path: '/control/reset',
		handle(simulator) {
			simulator.reset();
		},
	},
	{
		method: 'POST',
		path: '/control/options',
		handle(simulator, body) {
			simulator.setTraffic(trafficBody.parse(body));
		},
	},
];

/** The control surface for other processes. */
export function control(
	simulator: Controlled,
	method: string,
	path: string,
	rawBody: string,
): Reply {
	const routes = ROUTES.filter((route) => route.path === path);
	const route = routes.find((candidate) => candidate.method === method);
	if (routes.length === 0) return jsonReply(404, { error: 'Not found' });
	if (!route)
		return jsonReply(
			405,
			{ error: 'Method not allowed' },
			{ allow: routes.map((r) => r.method).join(', ') },
		);
	try {
		const body: unknown = rawBody === '' ? undefined : JSON.parse(rawBody);
		return jsonReply(200, route.handle(simulator, body) ?? {});
	} catch (error) {
		return jsonReply(400, { error: error instanceof Error ? error.message : String(error) });
	}
}

/** What arrived and was acted on per endpoint, and how often each recipient was reached by an accepted request. */
export function summarize(requests: readonly RecordedRequest[]) {
	const endpoints: Record<string, { arrived: number; processed: number }> = {};
	const perRecipient = new Map<string, number>();
	let peakInFlight = 0;
	for (const { endpoint = 'none', processed, body, inFlight } of requests) {
		const counts = (endpoints[endpoint] ??= { arrived: 0, processed: 0 });
		counts.arrived += 1;
		peakInFlight = Math.max(peakInFlight, inFlight);
		if (!processed) continue;
		counts.processed += 1;
		const recipient = recipientOf(body);
		if (recipient !== undefined) {
			perRecipient.set(recipient, (perRecipient.get(recipient) ?? 0) + 1);
		}
	}
	const counts = [...perRecipient.values()];
	return {
		endpoints,
		recipients: {
			total: counts.length,
			once: counts.filter((count) => count === 1).length,
			moreThanOnce: counts.filter((count) => count > 1).length,
		},
		peakInFlight,
	};
}

/** One line of the log of requests. */
export interface Arrival {
	endpoint: string | null;
	recipient: string | null;
	/** When it came, in milliseconds since the epoch. */
	at: number;
	processed: boolean;
	/** What was answered; null while nothing is. */
	status: number | null;
}

export const arrivalOf = ({ endpoint, body, at, processed, status }: RecordedRequest): Arrival => ({
	endpoint: endpoint ?? null,
	recipient: recipientOf(body) ?? null,
	at: performance.timeOrigin + at,
	processed,
	status: status ?? null,
});

/** The phone number that a request names. */
export function recipientOf(body: unknown): string | undefined {
	return typeof body === 'object' &&
		body !== null &&
		'toNumber' in body &&
		typeof body.toNumber === 'string'
		? body.toNumber
		: undefined;
}
