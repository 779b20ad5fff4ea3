import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, type Listening } from '../loopback';
import type { Fault, RecordedRequest, TrafficOptions } from './contract';
import { NO_ENDPOINT_STYLE, statusReply } from './errors';
import { Faults, faultyReply, firstHalf, hits } from './faults';
import { RateLimiter } from './rateLimiter';
import type { Reply } from './reply';
import { matchRoute, type Match } from './router';
import { API_PREFIX } from './seed';
import { Timers } from './timers';

/** The HTTP side: records, limits and spoils requests, and hands them to the service. */
export class Server {
	readonly requests: RecordedRequest[] = [];
	readonly faults = new Faults<Fault>();
	readonly #timers = new Timers();
	readonly #http = createServer((request, response) => {
		void this.#receive(request, response);
	});
	#inFlight = 0;
	#latencyMs = 0;
	#limiter: RateLimiter | undefined;

	constructor(private readonly serve: (request: RecordedRequest, match: Match) => Reply) {
		// Idle connections stay open until the end, so that no client ever writes to one that is just closing.
		this.#http.keepAliveTimeout = 0;
	}

	setTraffic({ latencyMs, requestsPerSecond }: TrafficOptions): void {
		if (latencyMs !== undefined) this.#latencyMs = latencyMs;
		if (requestsPerSecond === null) this.#limiter = undefined;
		else if (requestsPerSecond !== undefined) this.#limiter = new RateLimiter(requestsPerSecond);
	}

	/** Gives the address of the server, and what closes it with every answer that is late. */
	async listen(port: number): Promise<Listening> {
		const listening = await listen(this.#http, port);
		return {
			...listening,
			stop: async () => {
				this.#timers.clear();
				await listening.stop();
			},
		};
	}

	async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		this.#inFlight += 1;
		response.once('close', () => (this.#inFlight -= 1));
		const { request, match } = this.#record(incoming);
		const rawBody = await readBody(incoming);
		if (rawBody === undefined) return;
		request.rawBody = rawBody;
		request.body = parseJson(rawBody);

		const reply = this.#reply(request, match);
		const answer = () => {
			if (send(response, reply)) request.status = reply.status;
		};
		if (reply.until !== undefined) await reply.until;
		const delayMs = this.#latencyMs + (reply.delayMs ?? 0);
		if (delayMs > 0) this.#timers.after(delayMs, answer);
		else answer();
	}

	#record({ method = '', url = '', headers }: IncomingMessage) {
		const [rawPath = '', ...query] = url.split('?');
		const isApi = rawPath.startsWith(`${API_PREFIX}/`);
		const path = isApi ? rawPath.slice(API_PREFIX.length) : rawPath;
		const match: Match = isApi ? matchRoute(method, path) : { allowed: [] };
		const request: RecordedRequest = {
			method,
			path,
			query: query.join('?'),
			headers,
			rawBody: '',
			body: undefined,
			endpoint: match.name,
			at: performance.now(),
			processed: false,
			status: undefined,
			inFlight: this.#inFlight,
		};
		this.requests.push(request);
		return { request, match };
	}

	#reply(request: RecordedRequest, match: Match): Reply {
		const refuse = (status: number) =>
			statusReply(match.endpoint?.errors ?? NO_ENDPOINT_STYLE, status, request.body);
		const wait = this.#limiter?.secondsToWait(request.at) ?? 0;
		if (wait > 0) {
			const reply = refuse(429);
			return { ...reply, headers: { ...reply.headers, 'retry-after': String(wait) } };
		}
		const serve = () => this.serve(request, match);
		const fault = this.faults.take((one) => hits(one, request));
		return fault ? faultyReply(fault, serve, refuse) : serve();
	}
}

/** The whole body, or undefined when the client went away. */
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
	try {
		return await text(incoming);
	} catch {
		return undefined;
	}
}

function parseJson(rawBody: string): unknown {
	try {
		return JSON.parse(rawBody);
	} catch {
		return undefined;
	}
}

/** Puts a reply on the wire; tells whether it is a whole answer to a client that is still there. */
export function send(response: ServerResponse, { status, headers, body, ending }: Reply): boolean {
	const { socket } = response;
	if (!socket || socket.destroyed || ending === 'hang') return false;
	if (ending === 'reset') {
		socket.resetAndDestroy();
		return false;
	}
	response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });
	if (ending === 'truncate') {
		response.write(firstHalf(body), () => socket.destroy());
		return false;
	}
	response.end(body);
	return true;
}
