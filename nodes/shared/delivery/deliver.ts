import type { Rules } from '../rules/rules';
import { predecessorsOf, type Item, type Sendable } from '../items/item';
import type { Transport } from '../items/transport';
import { createYielder, doneOrAborted } from '../time/wait';
import { notBegun } from './failures';
import type { Gate } from './gate';
import type { Free, Memory } from './memory';
import { failed, failureOf, type Outcome } from './outcome';
import { Sender } from './send';

export interface DeliveryOptions {
	readonly transport: Transport;
	readonly gate: Gate;
	readonly memory: Memory;
	readonly rules: Rules;
	/** True if the first failure stops what has not started. */
	readonly stopOnFailure: boolean;
	readonly maxConcurrentRequests: number;
	/** 0 for no limit. */
	readonly requestsPerSecond: number;
	/** Aborted by the delivery to start nothing more, and at its end. */
	readonly halt: AbortController;
	/** Aborted when nothing more is to start: the run was halted, or cancelled. */
	readonly signal: AbortSignal;
	/** Aborted when the execution is cancelled. */
	readonly cancel?: AbortSignal;
	/** Called when an item has ended, with what has ended so far by index. */
	readonly onProgress?: (outcomes: readonly Outcome[]) => void;
}

/** What is left to do for an item when it is its turn; ends when its outcome is written down. */
type Rest = () => Promise<void>;

/**
 * Sends the items in their order, several at a time, and says what became of each; an item for the same recipient as an
 * earlier one when that has ended (rule 9). What was accepted in an earlier try is not sent again. Whatever throws while an
 * item is sent is a failure of that item.
 */
export async function deliver(
	items: readonly Item[],
	options: DeliveryOptions,
): Promise<Outcome[]> {
	const { cancel, gate, halt, memory, rules, signal, stopOnFailure, transport } = options;
	const lane = gate.open(options);
	const sender = new Sender(transport, lane, signal);
	const outcomes: Outcome[] = [];
	const ends: Promise<void>[] = [];
	const predecessors = predecessorsOf(items);
	const isFirst = ({ index }: Item): boolean => predecessors[index]?.length === 0;

	const settle = async (item: Item, given: Outcome): Promise<void> => {
		const { outcome, written } = memory.settle(item, given);
		outcomes[item.index] = outcome;
		options.onProgress?.(outcomes);
		await written;
	};
	/** Nobody knows what the memory would have said. Others may have been sent, and what became of them has to come out. */
	const breakOff = (error: unknown): Outcome => {
		halt.abort();
		return failed(notBegun(error));
	};
	const broken = new Map<Item, Outcome>();
	const claim = async (batch: readonly Item[]): Promise<void> => {
		try {
			await memory.claim(batch);
		} catch (error) {
			for (const item of batch) broken.set(item, breakOff(error));
		}
	};
	const before = (item: Item): Outcome | Free => {
		try {
			return broken.get(item) ?? memory.before(item);
		} catch (error) {
			return breakOff(error);
		}
	};
	/** Waits for the item's turn, if it is to be sent. */
	const begin = async (item: Item): Promise<Rest> => {
		const known = before(item);
		if (known.kind === 'free') return await enter(known.item);
		// What stays unknown of an earlier try stops no other item.
		if (stopOnFailure && known.kind === 'failed' && known.failure.outcome !== 'unknown')
			halt.abort();
		return async () => {
			await settle(item, known);
		};
	};
	const enter = async (item: Sendable): Promise<Rest> => {
		// Items for the same recipient share a wait: else each would wait anew while the service refuses all.
		const isWaitOver = predecessors[item.index]?.some((one) => {
			const ended = outcomes[one];
			return ended !== undefined && failureOf(ended)?.kind === 'rateLimited';
		});
		const turn = lane.enter(item.index, isWaitOver === true ? 0 : item.options.maxWait * 1_000);
		const waitEnd = await turn.take();
		const bar = (): Outcome | undefined => {
			try {
				return rules.holdOutside(item.person) ?? memory.sending(item);
			} catch (error) {
				return breakOff(error);
			}
		};
		return async () => {
			const given =
				waitEnd === 'go' ? await sender.send(item, turn, bar) : failed(sender.notStarted(waitEnd));
			if (stopOnFailure && given.kind === 'failed') halt.abort();
			const settling = settle(item, given);
			turn.leave();
			await settling;
		};
	};
	const follow = async (item: Item): Promise<void> => {
		await Promise.all(predecessors[item.index]?.map(async (one) => await ends[one]) ?? []);
		await claim([item]);
		await (
			await begin(item)
		)();
	};

	try {
		const yieldIfDue = createYielder();
		for (const batch of batchesOf(items)) {
			await claim(batch.filter(isFirst));
			for (const item of batch) {
				await yieldIfDue();
				const end = isFirst(item) ? (await begin(item))() : follow(item);
				// Awaited below. Until then, Node would take a rejection for one that nobody handles.
				end.catch(() => undefined);
				ends.push(end);
			}
		}
		await Promise.all(ends);
		return outcomes;
	} finally {
		// Ends what is still on its way if the run has thrown.
		halt.abort();
		await Promise.allSettled(ends);
		lane.close();
		// n8n's store may never answer.
		await doneOrAborted(memory.close(), cancel);
	}
}

/** How many items are claimed at a time at least. A crash leaves those of them unknown that were not sent yet. */
const MIN_BATCH = 50;

/** In how many parts a long list is claimed. */
const PARTS = 100;

function batchesOf(items: readonly Item[]): (readonly Item[])[] {
	const size = Math.max(MIN_BATCH, Math.ceil(items.length / PARTS));
	return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
		items.slice(part * size, (part + 1) * size),
	);
}

/** What would become of the items, for a credential that only checks: nothing is sent, and nobody counts as contacted. */
export async function check(
	items: readonly Item[],
	{ memory, onProgress }: Pick<DeliveryOptions, 'memory' | 'onProgress'>,
): Promise<Outcome[]> {
	await memory.look(items);
	const outcomes: Outcome[] = [];
	for (const item of items) {
		const known = memory.before(item);
		outcomes.push(known.kind === 'free' ? { kind: 'checked' } : known);
		onProgress?.(outcomes);
	}
	return outcomes;
}
