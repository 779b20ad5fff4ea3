import type { Fault, RecordedRequest } from './contract';
import { digitsOf, recipientOf } from './recipient';
import { jsonReply, type Reply } from './reply';

/** Faults on demand, taken in the order in which they were added. */
export class Faults<F extends { readonly times?: number }> {
	/** How many requests each will hit; Infinity until it is taken away. */
	#faults: { id: number; fault: F; left: number }[] = [];
	#lastId = 0;

	add(fault: F): void {
		this.#lastId += 1;
		this.#faults.push({ id: this.#lastId, fault, left: fault.times ?? Infinity });
	}

	/** Those that will hit another request. */
	active() {
		return this.#faults.filter(({ left }) => left > 0);
	}

	remove(id: number): void {
		this.#faults = this.#faults.filter((entry) => entry.id !== id);
	}

	/** The first of those that hit a request. */
	take(hits: (fault: F) => boolean): F | undefined {
		const entry = this.active().find(({ fault }) => hits(fault));
		if (!entry) return undefined;
		entry.left -= 1;
		return entry.fault;
	}

	clear(): void {
		this.#faults = [];
	}
}

export function hits({ endpoint, toNumber, when }: Fault, request: RecordedRequest): boolean {
	if (endpoint !== undefined && endpoint !== request.endpoint) return false;
	if (toNumber !== undefined && digitsOf(toNumber) !== digitsOf(recipientOf(request) ?? ''))
		return false;
	return when?.(request) ?? true;
}

/** What refuses a request, and does not act on it unless the fault says otherwise; the others act. */
const REFUSING_KINDS = new Set<Fault['kind']>(['status', 'rateLimited', 'redirect', 'resetBefore']);

/** How an answer ends that does not come whole. */
const ENDINGS: Partial<Record<Fault['kind'], Reply['ending']>> = {
	resetBefore: 'reset',
	resetAfter: 'reset',
	hang: 'hang',
	truncate: 'truncate',
};

/**
 * The reply that a fault makes of a request.
 * @param serve acts on the request and gives the true reply
 * @param refuse the body of S 7 for a status, without acting
 */
export function faultyReply(
	fault: Fault,
	serve: () => Reply,
	refuse: (status: number) => Reply,
): Reply {
	const { kind, process = !REFUSING_KINDS.has(kind), delayMs, until } = fault;
	const { retryAfter = kind === 'rateLimited' ? '1' : undefined } = fault;
	const served = process ? serve() : undefined;
	const reply = spoil(fault, served ?? refuse(fault.status ?? 500), refuse);
	const headers = {
		...reply.headers,
		...(retryAfter !== undefined && { 'retry-after': retryAfter }),
		...lowerCased(fault.headers),
	};
	return { ...reply, headers, ending: ENDINGS[kind], delayMs, until };
}

function spoil(fault: Fault, reply: Reply, refuse: (status: number) => Reply): Reply {
	const { kind, body, status = reply.status } = fault;
	switch (kind) {
		case 'status':
			return body === undefined
				? refuse(fault.status ?? 500)
				: jsonReply(fault.status ?? 500, body);
		case 'rateLimited':
			return refuse(429);
		case 'brokenJson':
			return { ...reply, status, body: firstHalf(reply.body) };
		case 'html': {
			const headers = { 'content-type': 'text/html; charset=utf-8' };
			const page = '<!DOCTYPE html><html><body><h1>Gateway</h1></body></html>';
			return { status, headers, body: page };
		}
		case 'empty':
			return { ...reply, status, body: '' };
		case 'redirect': {
			const headers = { location: fault.location ?? '/elsewhere' };
			return { status: fault.status ?? 302, headers, body: '' };
		}
		case 'respond':
			if (body === undefined) return { ...reply, status };
			return typeof body === 'string' ? { ...reply, status, body } : jsonReply(status, body);
		case 'truncate':
			return { ...reply, status };
		default:
			return reply;
	}
}

const lowerCased = (headers: Record<string, string> = {}): Record<string, string> =>
	Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

export const firstHalf = (text: string): string => text.slice(0, Math.floor(text.length / 2));
