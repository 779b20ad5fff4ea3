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

/** The kinds that act on the request before they spoil the answer, unless the fault says otherwise. */
const ACTING_KINDS = new Set<Fault['kind']>([
	'brokenJson',
	'html',
	'empty',
	'truncate',
	'respond',
	'hang',
	'delay',
]);

function acts({ kind, process }: Fault): boolean {
	if (kind === 'resetBefore') return false;
	if (kind === 'resetAfter') return true;
	return process ?? ACTING_KINDS.has(kind);
}

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
	const served = acts(fault) ? serve() : undefined;
	const reply = spoil(fault, served ?? refuse(fault.status ?? 500), refuse);
	return {
		...reply,
		headers: { ...reply.headers, ...lowerCased(fault.headers) },
		delayMs: fault.delayMs,
		until: fault.until,
	};
}

function spoil(fault: Fault, reply: Reply, refuse: (status: number) => Reply): Reply {
	const status = fault.status ?? reply.status;
	switch (fault.kind) {
		case 'status':
			return withRetryAfter(
				fault.body === undefined
					? refuse(fault.status ?? 500)
					: jsonReply(fault.status ?? 500, fault.body),
				fault.retryAfter,
			);
		case 'rateLimited':
			return withRetryAfter(refuse(429), fault.retryAfter ?? '1');
		case 'delay':
			return reply;
		case 'resetBefore':
		case 'resetAfter':
			return { ...reply, ending: 'reset' };
		case 'hang':
			return { ...reply, ending: 'hang' };
		case 'truncate':
			return { ...reply, status, ending: 'truncate' };
		case 'brokenJson':
			return { ...reply, status, body: firstHalf(reply.body) };
		case 'html':
			return {
				status,
				headers: { 'content-type': 'text/html; charset=utf-8' },
				body: '<!DOCTYPE html><html><body><h1>Gateway</h1></body></html>',
			};
		case 'empty':
			return { ...reply, status, body: '' };
		case 'redirect':
			return {
				status: fault.status ?? 302,
				headers: { location: fault.location ?? '/elsewhere' },
				body: '',
			};
		case 'respond':
			if (fault.body === undefined) return { ...reply, status };
			return typeof fault.body === 'string'
				? { ...reply, status, body: fault.body }
				: jsonReply(status, fault.body);
	}
}

const lowerCased = (headers: Record<string, string> = {}): Record<string, string> =>
	Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const withRetryAfter = (reply: Reply, retryAfter: string | undefined): Reply =>
	retryAfter === undefined
		? reply
		: { ...reply, headers: { ...reply.headers, 'retry-after': retryAfter } };

export const firstHalf = (text: string): string => text.slice(0, Math.floor(text.length / 2));
