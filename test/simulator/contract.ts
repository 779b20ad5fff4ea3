import type { IncomingHttpHeaders } from 'node:http';

import type { EndpointName } from './endpoints';
import type { ServiceState } from './workspace';

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
	/** In which time so many requests are taken; a second unless it is said together with the limit. */
	windowMs?: number;
	/** Said together with the limit: a bucket of so many requests, which fills up evenly; none otherwise. */
	bucket?: number;
}

export interface SimulatorOptions {
	port?: number;
	apiKey?: string;
	workspaceId?: string;
	concurrentCallLimit?: number;
	planLimit?: number;
	callDurationMs?: number;
	requestsPerSecond?: number;
	latencyMs?: number;
	webhooks?: WebhookTarget[];
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
	/** The decoded parameters of the path. */
	params: Record<string, string>;
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

/** A fault that will hit requests. */
export interface ActiveFault {
	id: number;
	fault: Fault;
	/** How many requests; Infinity until it is taken away. */
	left: number;
}

export interface Simulator {
	/** Ends in the API prefix and is followed by /v1/... */
	readonly baseUrl: string;
	readonly apiKey: string;
	/** A valid key that is not allowed for the resource (S 5.5). */
	readonly forbiddenApiKey: string;
	readonly workspaceId: string;
	readonly assistantId: string;
	readonly knowledgeBaseId: string;
	/** A number linked to the seeded assistant. */
	readonly fromNumber: string;
	readonly templates: readonly { name: string; language: string }[];
	/** Every request that arrived, in order of arrival, refused ones included. */
	readonly requests: RecordedRequest[];
	readonly clock: { now(): number; advance(ms: number): void };
	readonly deliveries: WebhookDelivery[];
	/** Where the end-of-call webhook is sent. */
	readonly webhooks: readonly WebhookTarget[];
	readonly faults: readonly ActiveFault[];
	/** What the service knows now. */
	state(): ServiceState;
	addFault(fault: Fault): void;
	/** Nothing happens when there is none of this ID. */
	removeFault(id: number): void;
	setWebhooks(targets: WebhookTarget[]): void;
	/** Calls that start from now on end by themselves after this time, or only by `endCall`. */
	setCallDuration(ms: number | undefined): void;
	setTraffic(options: TrafficOptions): void;
	/** A msgapp customer writes, which opens the customer window at clock.now() (S 3, rule 2); without a text, no message is kept. */
	customerReplies(toNumber: string, message?: string): void;
	/** Ends a call and sends the webhook; rejects when no such call is going on. */
	endCall(callId: string, properties?: Record<string, unknown>): Promise<WebhookDelivery[]>;
	/** Sends any end-of-call body, for example one again. */
	deliverWebhook(body: unknown): Promise<WebhookDelivery[]>;
	/** The requests that the service acted on. */
	processed(endpoint?: EndpointName): RecordedRequest[];
	/** Starting a msgapp conversation then answers 409 (S 7.1). */
	removeSenderNumbers(): void;
	/** State, requests, deliveries, faults and clock as at the start; traffic options and webhooks stay. */
	reset(): void;
	/** Closes every socket and timer. */
	stop(): Promise<void>;
}
