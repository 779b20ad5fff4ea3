import type { Rules } from '../rules/rules';
import { predecessorsOf, type Item, type Sendable } from '../items/item';
import type { Transport } from '../items/transport';
import { createYielder, doneOrAborted } from '../time/wait';
import type { Gate } from './gate';
import type { LaneRules, Turn } from './lane';
import type { Memory } from './memory';
import { failed, failureOf, type Outcome } from './outcome';
import { Sender } from './send';

export interface DeliveryOptions extends LaneRules {
	readonly transport: Transport;
	readonly gate: Gate;
	readonly memory: Memory;
	readonly rules: Rules;
	/** True if the first failure stops what has not started. */
	readonly stopOnFailure: boolean;
	/** Aborted by the delivery to start nothing more, and at its end. */
	readonly halt: AbortController;
	/** Aborted when the execution is cancelled. */
	readonly cancel?: AbortSignal;
}

/** The turn of an item that is to be sent now. */
interface Begun {
	readonly kind: 'begun';
	readonly item: Sendable;
	readonly turn: Turn;
}

/**
 * Sends the items in order, several at a time, and says what became of each. One for the recipient
 * of an earlier one waits for its end (rule 9). What an earlier try got accepted is not sent again.
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

	/** Waits for the item's turn; gives what became of it if it is not to be sent. */
	const begin = async (item: Item): Promise<Outcome | Begun> => {
		const known = memory.before(item);
		if (known.kind !== 'sendable') return known;
		// Items for one recipient share a wait: else each would wait anew while the service refuses.
		const isWaitOver = predecessors[item.index]?.some(
			({ index }) => failureOf(outcomes[index])?.kind === 'rateLimited',
		);
		const maxWait = isWaitOver === true ? 0 : known.options.maxWait * 1_000;
		const turn = lane.enter(item.index, maxWait);
		const waitEnd = await turn.take();
		return waitEnd === 'go'
			? { kind: 'begun', item: known, turn }
			: failed(sender.notStarted(waitEnd));
	};
	/** Sends an item that has its turn. Ends when its outcome is written down. */
	const end = async (item: Item, begun: Outcome | Begun): Promise<void> => {
		const bar = (): Outcome | undefined => rules.holdOutside(item.person) ?? memory.sending(item);
		const given = begun.kind === 'begun' ? await sender.send(begun.item, begun.turn, bar) : begun;
		// What stays unknown of an earlier try stops no other item.
		const isOfEarlierTry = begun === given && failureOf(given)?.outcome === 'unknown';
		if (stopOnFailure && given.kind === 'failed' && !isOfEarlierTry) halt.abort();
		const { outcome, written } = memory.settle(item, given);
		outcomes[item.index] = outcome;
		if (begun.kind === 'begun') begun.turn.leave();
		await written;
	};
	const follow = async (item: Item): Promise<void> => {
		const before = predecessors[item.index] ?? [];
		await Promise.all(before.map(async ({ index }) => await ends[index]));
		memory.follow(item, before);
		await memory.claim([item]);
		await end(item, await begin(item));
	};

	try {
		const yieldIfDue = createYielder();
		const size = Math.max(MIN_BATCH, Math.ceil(items.length / PARTS));
		for (let first = 0; first < items.length; first += size) {
			const batch = items.slice(first, first + size);
			await memory.claim(batch.filter(isFirst));
			for (const item of batch) {
				await yieldIfDue();
				const ending = isFirst(item) ? end(item, await begin(item)) : follow(item);
				// Awaited below. Until then, Node would take a rejection for one that nobody handles.
				ending.catch(() => undefined);
				ends.push(ending);
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

/** How many items are claimed at a time at least. A crash leaves those not sent yet unknown. */
const MIN_BATCH = 50;

/** In how many parts a long list is claimed. */
const PARTS = 100;

/** Says what would become of items that are only checked: nobody counts as contacted. */
export async function check(items: readonly Item[], memory: Memory): Promise<Outcome[]> {
	await memory.look(items);
	return items.map((item) => {
		const known = memory.before(item);
		return known.kind === 'sendable' ? { kind: 'checked' } : known;
	});
}
