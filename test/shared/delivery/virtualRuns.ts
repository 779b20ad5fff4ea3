import { sleep } from 'n8n-workflow';

import type { Answer } from '../../../nodes/shared/answer/answer';
import { deliver } from '../../../nodes/shared/delivery/deliver';
import { countedOutcome } from '../../../nodes/shared/delivery/entry';
import { Gate } from '../../../nodes/shared/gate/gate';
import type { Outcome } from '../../../nodes/shared/delivery/outcome';
import { Rules } from '../../../nodes/shared/rules/rules';
import type { ServiceRequest } from '../../../nodes/shared/service/serviceRequest';
import { useFakeClock } from '../gate/gateRequests';
import { planOf } from '../samples';
import { answerOf, type Says } from './results';
import { newNode, Run as OpenedRun } from './runs';

/** What becomes of a request, and after how many milliseconds. */
export interface Reply extends Says {
	readonly after: number;
}

/** A run of the node. Times are in milliseconds since the begin of the world. */
export interface Run {
	readonly beginAt: number;
	readonly cancelAt?: number;
	readonly items: number;
	/** In seconds. */
	readonly maxWait: number;
	readonly maxConcurrentRequests: number;
	readonly requestsPerSecond: number;
	/** True if its operation has the same effect twice as once. */
	readonly isSafe: boolean;
	/** True if n8n's database never answers it, and does not say so. */
	readonly isStuck?: boolean;
}

/** What happens to the item of a run, seen from outside. Times are in milliseconds since the begin of the world. */
export interface Item {
	readonly run: Run;
	readonly index: number;
	readonly requests: Request[];
	readonly ends: { readonly at: number; readonly result: Outcome }[];
}

export interface Request {
	readonly run: Run;
	readonly at: number;
	readonly reply: Reply;
	readonly answeredAt: number;
}

const PLANS = { safe: planOf('assistant.getPrompt'), unsafe: planOf('call.place') };

/** After how long without an event a world is left that still waits, in milliseconds. */
const LONGEST_SILENCE = 600_000;

/** Each test of the file has a clock of its own, and waits of the same length each time. */
export function useVirtualTime(): void {
	useFakeClock();
	beforeEach(() => {
		jest.spyOn(Math, 'random').mockReturnValue(0.5);
	});
}

/**
 * Lets these runs of one address and key come and go, until nothing happens any more. The service gives these replies
 * in the order of the requests, the last one again and again.
 */
export async function playOut(replies: readonly Reply[], runs: readonly Run[]): Promise<Item[]> {
	jest.clearAllTimers();
	const begin = Date.now();
	const now = (): number => Date.now() - begin;
	const gate = new Gate();
	const items = runs.map((run) =>
		Array.from({ length: run.items }, (_, index): Item => ({ run, index, requests: [], ends: [] })),
	);
	let asked = 0;
	let quietSince = 0;
	const endedAt: number[] = [];

	const ask = async (item: Item, { operation }: ServiceRequest): Promise<Answer> => {
		const reply = replies[Math.min(asked++, replies.length - 1)] ?? ACCEPTED;
		item.requests.push({ run: item.run, at: now(), reply, answeredAt: now() + reply.after });
		await sleep(reply.after);
		quietSince = now();
		return answerOf(operation, reply);
	};
	for (const [place, run] of runs.entries()) {
		const own = items[place] ?? [];
		setTimeout(() => {
			void start(run, own, { gate, ask, now }).then(() => (endedAt[place] = now()));
		}, run.beginAt);
		quietSince = Math.max(quietSince, run.beginAt, run.cancelAt ?? 0);
	}
	while (jest.getTimerCount() > 0 && now() < quietSince + LONGEST_SILENCE) {
		jest.advanceTimersToNextTimer();
		// Promises have their turn before this.
		await new Promise((resolve) => setImmediate(resolve));
	}
	// A run is over when its last item is.
	expect(endedAt).toEqual(items.map((own) => Math.max(...own.map(({ ends }) => ends[0]?.at ?? 0))));
	return items.flat();
}

export const ACCEPTED: Reply = { says: 'accepted', after: 50 };

interface World {
	readonly gate: Gate;
	readonly ask: (item: Item, request: ServiceRequest) => Promise<Answer>;
	readonly now: () => number;
}

async function start(run: Run, items: readonly Item[], { gate, ask, now }: World): Promise<void> {
	const cancel = new AbortController();
	if (run.cancelAt !== undefined) {
		setTimeout(() => {
			cancel.abort();
		}, run.cancelAt - run.beginAt);
	}
	const { request, ...plan } = run.isSafe ? PLANS.safe : PLANS.unsafe;
	const options = { ...plan.options, maxWait: run.maxWait };
	const plans = items.map((_, index) => {
		const properties = { ...plan.properties, toNumber: index };
		return { ...plan, options, properties, index, request: { ...request } };
	});
	const byRequest = new Map(items.map((item, index) => [plans[index]?.request, item]));
	const halt = new AbortController();
	const signal = AbortSignal.any([cancel.signal, halt.signal]);
	const seen = newNode();
	seen.latency = 0;
	if (run.isStuck) seen.record = async () => await new Promise<never>(() => undefined);
	const { memory } = await OpenedRun.open(seen, plans, { signal, cancelSignal: cancel.signal });
	const settle = memory.settle.bind(memory);
	jest.spyOn(memory, 'settle').mockImplementation(async (entry, outcome) => {
		const settled = settle(entry, outcome);
		const result = countedOutcome(entry);
		if (result) items[entry.item.index]?.ends.push({ at: now(), result });
		await settled;
	});
	await deliver({
		transport: async (request) => {
			const item = byRequest.get(request);
			if (item === undefined) throw new Error('No item has this request');
			return await ask(item, request);
		},
		gate,
		...{ memory, rules: new Rules('UTC', 'call.place', []) },
		stopOnFailure: false,
		maxConcurrentRequests: run.maxConcurrentRequests,
		requestsPerSecond: run.requestsPerSecond,
		halt,
		signal,
		cancelSignal: cancel.signal,
	});
}
