import type { Rules } from '../rules/rules';
import { createPredecessorFinder, type Item, type Sendable } from '../items/item';
import type { Transport } from '../service/transport';
import { createYielder, doneOrAborted } from '../time/wait';
import { countedOutcome, type Entry } from './entry';
import type { Gate } from '../gate/gate';
import { Turn, type LaneRules } from '../gate/lane';
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
	readonly cancelSignal?: AbortSignal;
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
export async function deliver(options: DeliveryOptions): Promise<Outcome[]> {
	const { cancelSignal, gate, halt, memory, rules, signal, stopOnFailure, transport } = options;
	const { entries } = memory;
	const lane = gate.open(options);
	const sender = new Sender(transport, lane, signal);
	const ends: Promise<void>[] = [];
	const findPredecessors = createPredecessorFinder();
	const predecessors: (readonly Item[])[] = [];
	const isFirst = ({ item }: Entry): boolean => predecessors[item.index]?.length === 0;

	/** Waits for the item's turn; gives what became of it if it is not to be sent. */
	const begin = async (entry: Entry): Promise<Outcome | Begun> => {
		const outcomeOrItem = memory.before(entry);
		if (outcomeOrItem.kind !== 'sendable') return outcomeOrItem;
		const { index, options: itemOptions } = outcomeOrItem;
		// Items for one recipient share a wait: else each would wait anew while the service refuses.
		const isWaitOver = predecessors[index]?.some(
			(predecessor) => failureOf(entries[predecessor.index]?.outcome)?.kind === 'rateLimited',
		);
		const maxWait = isWaitOver === true ? 0 : itemOptions.maxWait * 1_000;
		const turn = new Turn(lane, index, maxWait);
		const waitResult = await turn.take();
		return waitResult === 'go'
			? { kind: 'begun', item: outcomeOrItem, turn }
			: failed(sender.notStarted(waitResult));
	};
	/** Sends an item that has its turn. Ends when its outcome is written down. */
	const end = async (entry: Entry, begun: Outcome | Begun): Promise<void> => {
		const bar = (): Outcome | undefined =>
			rules.holdOutside(entry.item.person) ?? memory.sending(entry);
		const outcome = begun.kind === 'begun' ? await sender.send(begun.item, begun.turn, bar) : begun;
		// What stays unknown of an earlier try stops no other item.
		const isOfEarlierTry = begun.kind !== 'begun' && failureOf(outcome)?.outcome === 'unknown';
		if (stopOnFailure && outcome.kind === 'failed' && !isOfEarlierTry) halt.abort();
		const written = memory.settle(entry, outcome);
		if (begun.kind === 'begun') begun.turn.leave();
		await written;
	};
	const follow = async (entry: Entry): Promise<void> => {
		const ahead = predecessors[entry.item.index] ?? [];
		await Promise.all(ahead.map(async ({ index }) => await ends[index]));
		memory.follow(entry, ahead);
		await memory.claim([entry]);
		await end(entry, await begin(entry));
	};

	try {
		const yieldIfDue = createYielder();
		const { requestsPerSecond } = options;
		const paced = requestsPerSecond > 0 ? Math.ceil(requestsPerSecond * LONGEST_TURN) : Infinity;
		const size = Math.min(Math.max(MIN_BATCH, Math.ceil(entries.length / PARTS)), paced);
		for (let first = 0; first < entries.length; first += size) {
			const batch = entries.slice(first, first + size);
			predecessors.push(...batch.map(({ item }) => findPredecessors(item)));
			await memory.claim(batch.filter(isFirst));
			for (const entry of batch) {
				await yieldIfDue();
				const ending = isFirst(entry) ? end(entry, await begin(entry)) : follow(entry);
				// Awaited below. Until then, Node would take a rejection for one that nobody handles.
				ending.catch(() => undefined);
				ends.push(ending);
			}
		}
		await Promise.all(ends);
		return entries.flatMap((entry) => countedOutcome(entry) ?? []);
	} finally {
		// Ends what is still on its way if the run has thrown.
		halt.abort();
		await Promise.allSettled(ends);
		lane.close();
		// n8n's store may never answer.
		await doneOrAborted(memory.close(), cancelSignal);
	}
}

/** How many items are claimed at a time at least. A crash leaves those not sent yet unknown. */
const MIN_BATCH = 50;

/** In seconds: who is claimed longer before the turn comes could be due again in between. */
const LONGEST_TURN = 600;

/** In how many parts a long list is claimed. */
const PARTS = 100;

/** Says what would become of items that are only checked: nobody counts as contacted. */
export async function check(memory: Memory): Promise<Outcome[]> {
	await memory.look();
	return memory.entries.map((entry) => {
		const outcomeOrItem = memory.before(entry);
		return outcomeOrItem.kind === 'sendable' ? { kind: 'checked' } : outcomeOrItem;
	});
}
