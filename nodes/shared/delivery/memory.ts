import type { Failure } from '../answer/failure';
import { isSendable, type Item, type Sendable } from '../items/item';
import { doneOrAborted } from '../time/wait';
import type { Count } from './count';
import { lostAnswer, lostWithN8n, STOPPED, stillUnknown } from './failures';
import type { Lease } from './lease';
import type { Notes } from './notes';
import {
	failed,
	failureOf,
	mayHaveBeenSent,
	type Outcome,
	NOTHING,
	type Before,
	type Shelf,
} from './outcome';
import type { Run } from './run';

interface Parts {
	readonly run: Pick<Run, 'host' | 'rules' | 'signal' | 'cancel'>;
	readonly notes: Notes;
	/** Absent if the operation is safe to repeat, and of a tool without a contact book. */
	readonly shelf?: Shelf;
	readonly count: Count;
	/** Of a retry that may send. */
	readonly lease?: Lease;
	/** Why nothing may be sent: a retry does not hold its execution, or items exceed the marks. */
	readonly barred?: Failure;
}

/**
 * Says of each item of a run whether it may be sent, and remembers what was sent: in the notes of
 * the execution, and on the shelf that survives n8n's death. What it says before sending, by them:
 *
 * | notes    | shelf           | the item                                             |
 * |----------|-----------------|------------------------------------------------------|
 * | accepted | -               | its earlier answer comes out                         |
 * | other    | accepted        | its earlier answer comes out, as far as it is known  |
 * | unknown  | other           | is unknown; with *Send Again*, as if there were none |
 * | none     | may be sent     | is unknown; with *Send Again*, as if there were none |
 * | none     | unreadable      | is not sent                                          |
 * | none     | held back       | is held back                                         |
 * | none     | nothing         | is sent                                              |
 *
 * Per item: {@link claim}, {@link before}, {@link sending} before each request, {@link settle}.
 */
export class Memory {
	private readonly shelved = new Map<Item, Before>();

	/** When the last request of an item was sent in this run, in milliseconds since the epoch. */
	private readonly sentAt = new Map<Item, number>();

	/** What is known of an earlier try of the items that were sent again. */
	private readonly doubts = new Map<Item, Failure>();

	private readonly outcomes = new Map<Item, Outcome>();

	/** What was claimed last, for which a run that was stopped has not waited. */
	private claiming: Promise<void> = Promise.resolve();

	constructor(private readonly parts: Parts) {}

	/** Looks items up for a run that only checks, and writes nothing. */
	async look(items: readonly Item[]): Promise<void> {
		const { shelf, run } = this.parts;
		await doneOrAborted(this.learn(shelf?.look?.(items)), run.signal);
	}

	/**
	 * Looks items up, and writes down that they are about to be sent, unless something is against it.
	 * A retry looks up what was sent even after the run was stopped, to say who was reached.
	 */
	async claim(items: readonly Item[]): Promise<void> {
		const { barred, notes, shelf, run } = this.parts;
		const { cancel, host, signal } = run;
		const stop = host.isRetry ? cancel : signal;
		if (barred !== undefined || stop?.aborted === true) return;
		const maySend = (item: Item): item is Sendable =>
			isSendable(item) && !signal.aborted && !this.staysUnknown(item, this.doubtOf(item));
		const open = items.filter(
			(item) => notes.of(item.index)?.accepted === undefined && (host.isRetry || maySend(item)),
		);
		this.claiming = Promise.all([this.claiming, this.learn(shelf?.claim(open, maySend))]).then();
		await doneOrAborted(this.claiming, stop);
	}

	/**
	 * Lets an item that was accepted be sent once more, so that the last one wins (rule 9): if it is
	 * safe to repeat, and one of those before it for its recipient was sent in this run.
	 */
	follow(item: Item, before: readonly Item[]): void {
		if (item.operation.repeatable && before.some((one) => this.sentAt.has(one)))
			this.parts.notes.forget(item.index);
	}

	/** Gives what becomes of an item without being sent; the item itself if it may be sent. */
	before(item: Item): Outcome | Sendable {
		const known = this.earlierOutcome(item);
		if (known !== undefined) return known;
		if (!isSendable(item)) return failed(item.failure);
		const { barred, run } = this.parts;
		if (run.signal.aborted) return failed(STOPPED);
		if (barred) return failed(barred);
		const before = this.shelved.get(item) ?? NOTHING;
		if (before.kind === 'unreadable') return failed(before.failure);
		if (before.kind === 'heldBack') return before;
		return run.rules.holdBack(item.person) ?? item;
	}

	/**
	 * Writes down that a request of the item is sent now.
	 *
	 * @returns what became of it, if another call of the same tool has sent it in the meantime
	 */
	sending(item: Item): Outcome | undefined {
		const { notes } = this.parts;
		if (!this.sentAt.has(item)) {
			notes.refresh();
			const known = this.earlierOutcome(item);
			if (known !== undefined) return known;
			const doubt = this.doubtOf(item);
			if (doubt) this.doubts.set(item, doubt);
			notes.noteSending(item.index);
		}
		this.sentAt.set(item, Date.now());
		return undefined;
	}

	/**
	 * Remembers what became of an item.
	 *
	 * @returns what counts, and when it is on the shelf: an item that an earlier try may have sent
	 * stays unknown if it was refused or not sent now
	 */
	settle(item: Item, given: Outcome): { outcome: Outcome; written: Promise<void> | undefined } {
		const { notes, shelf } = this.parts;
		const sentAt = this.sentAt.get(item);
		// Once the item is sent, its note is of this try.
		const doubt = sentAt === undefined ? this.doubtOf(item) : this.doubts.get(item);
		const isOpen = doubt !== undefined && !mayHaveBeenSent(given);
		const failure = failureOf(given);
		const outcome = isOpen && failure ? failed(stillUnknown(doubt, failure)) : given;
		this.outcomes.set(item, outcome);
		// Also of an item that is held back between two requests, which is no failure.
		if (sentAt !== undefined) notes.settle(item.index, isOpen ? failed(doubt) : given);
		const maybeSent = isOpen || mayHaveBeenSent(given);
		const settled = { given, ...(sentAt !== undefined && { sentAt }), maybeSent };
		return { outcome, written: shelf?.settle(item, settled) };
	}

	/** True if nothing may be sent. */
	get isBarred(): boolean {
		return this.parts.barred !== undefined;
	}

	/** How many items an earlier try has sent, which the service has accepted. */
	get acceptedBefore(): number {
		return [...this.outcomes].filter(
			([item, { kind }]) => kind === 'accepted' && !this.sentAt.has(item),
		).length;
	}

	/** How many items were sent in this run although an earlier try may have sent them. */
	get sentAgain(): number {
		return this.doubts.size;
	}

	/** Ends the run: keeps its numbers, gives up what was not sent, lets another retry have it. */
	async close(): Promise<void> {
		const { count, lease, notes, shelf } = this.parts;
		const sent = [...this.outcomes].filter(([, outcome]) => mayHaveBeenSent(outcome));
		count.keep(sent.flatMap(([{ index }]) => notes.idOf(index) ?? []));
		await Promise.allSettled([this.claiming]);
		await shelf?.close();
		await lease?.release();
	}

	private async learn(looking?: Promise<ReadonlyMap<Item, Before>>): Promise<void> {
		for (const [item, before] of (await looking) ?? []) this.shelved.set(item, before);
	}

	/** Gives the earlier outcome of an item; `undefined` if none, or if unknown and sent again. */
	private earlierOutcome(item: Item): Outcome | undefined {
		const accepted = this.parts.notes.of(item.index)?.accepted;
		if (accepted) return { kind: 'accepted', ...accepted };
		const before = this.shelved.get(item) ?? NOTHING;
		if (before.kind === 'accepted') return before;
		const doubt = this.doubtOf(item);
		if (doubt === undefined || !this.staysUnknown(item, doubt)) return undefined;
		return failed(isSendable(item) ? doubt : stillUnknown(doubt, item.failure));
	}

	private staysUnknown(item: Item, doubt: Failure | undefined): boolean {
		if (doubt === undefined) return false;
		return !isSendable(item) || item.options.ifOutcomeUnknown !== 'sendAgain';
	}

	/** Gives what earlier tries leave in doubt; `undefined` if nothing, or it is safe to repeat. */
	private doubtOf(item: Item): Failure | undefined {
		if (item.operation.repeatable) return undefined;
		const note = this.parts.notes.of(item.index);
		if (note?.accepted) return undefined;
		if (note) return { ...(note.failure ?? lostAnswer()), ofEarlierTry: 'failure' };
		const maybeSent = this.shelved.get(item)?.kind === 'maybeSent';
		return maybeSent ? { ...lostWithN8n(), ofEarlierTry: 'failure' } : undefined;
	}
}
