import type { IncomingHttpHeaders } from 'node:http';

import type { EndpointName } from './endpoints';
import type { startSimulator } from './simulator';

/** Where the end-of-call webhook (S 6) is sent. */
export interface WebhookTarget {
	url: string;
	headers?: Record<string, string>;
}

export interface WebhookDelivery {
	url: string;
	/** What the target answered; 0 when it could not be reached. */
	status: number;
	/** The body that was sent. */
	body: unknown;
	/** The text of the target's answer. */
	answer: string;
}

/** What can be changed while the simulator runs; `requestsPerSecond: null` takes the limit away. */
export interface TrafficOptions {
	latencyMs?: number;
	requestsPerSecond?: number | null;
}

export interface SimulatorOptions {
	port?: number;
	apiKey?: string;
	callDurationMs?: number;
}

export interface RecordedRequest {
	method: string;
	/** The raw path as on the wire (still encoded), without the API prefix and the query. */
	path: string;
	/** The raw query, without the question mark. */
	query: string;
	headers: IncomingHttpHeaders;
	rawBody: string;
	/** The parsed JSON body, or undefined. */
	body: unknown;
	endpoint: EndpointName | undefined;
	/** performance.now() of the arrival. */
	at: number;
	/** Whether the service acted on it. */
	processed: boolean;
	/** What was answered; undefined while nothing is, and when the connection was cut. */
	status: number | undefined;
	/** Requests in flight when it arrived, itself included. */
	inFlight: number;
}

export interface Fault {
	kind:
		| 'status'
		| 'delay'
		| 'resetBefore'
		| 'resetAfter'
		| 'brokenJson'
		| 'html'
		| 'empty'
		| 'rateLimited'
		| 'redirect'
		| 'respond'
		| 'hang'
		| 'truncate';
	endpoint?: EndpointName;
	/** Only requests that name this phone number, however they write it. */
	toNumber?: string;
	when?: (request: RecordedRequest) => boolean;
	times?: number;
	status?: number;
	body?: unknown;
	headers?: Record<string, string>;
	retryAfter?: string;
	delayMs?: number;
	/** The answer waits for it; it must not reject. */
	until?: Promise<unknown>;
	location?: string;
	process?: boolean;
}

/** A simulated service that runs. */
export type Simulator = Awaited<ReturnType<typeof startSimulator>>;
