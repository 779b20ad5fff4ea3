import { isSendable, type Item, type Sendable } from '../items/item';
import { doneOrAborted } from '../time/wait';
import { earlierByNote, maySomeTryHaveSent, NOTHING, staysUnknown, type Entry } from './entry';
import { STOPPED, stillUnknown } from './deliveryFailures';
import type { Failure } from '../answer/failure';
import { matchIds } from './identify';
import type { Notes } from './notes';
import { failed, mayHaveBeenSent, type Outcome } from './outcome';
import type { Lease } from './lease';
import type { Rules } from '../rules/rules';
import type { Rounds } from './rounds';
import type { Run } from './run';
import type { Shelf, ShelfAnswers } from './shelf';

interface Parts {
	readonly run: Pick<Run, 'host' | 'rules' | 'signal' | 'cancelSignal'>;
	/** Of the items, by index. */
	readonly entries: readonly Entry[];
	readonly notes: Notes;
	/** Absent if the operation is safe to repeat, and of a tool without a contact book. */
	readonly shelf?: Shelf;
	readonly rounds: Rounds;
	/** Of a retry that may send. */
	readonly lease?: Lease;
	/** Why nothing may be sent: a retry does not hold its execution, or items exceed the marks. */
	readonly barredBy?: Failure;
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
	/** What was claimed last, for which a run that was stopped has not waited. */
	private lastClaim: Promise<void> = Promise.resolve();

	/** What has ended and is not settled: its marks are taken back with the next claim. */
	private readonly ended: Entry[] = [];

	constructor(private readonly parts: Parts) {}

	get entries(): readonly Entry[] {
		return this.parts.entries;
	}

	/** Looks the items up for a run that only checks, and writes nothing. */
	async look(): Promise<void> {
		const { entries, shelf, run } = this.parts;
		await doneOrAborted(learn(run.rules, shelf?.look?.(entries)), run.signal);
	}

	/**
	 * Looks items up, and writes down that they are about to be sent, unless something is against it.
	 * A retry looks up what was sent even after the run was stopped, to say who was reached.
	 */
	async claim(entries: readonly Entry[]): Promise<void> {
		const { barredBy, shelf, run } = this.parts;
		const { cancelSignal, host, signal } = run;
		const stop = host.isRetry ? cancelSignal : signal;
		if (barredBy !== undefined || stop?.aborted === true) return;
		const open = entries.filter(({ earlier }) => earlier.kind !== 'accepted');
		const maySend = (entry: Entry): boolean =>
			isSendable(entry.item) && !signal.aborted && !staysUnknown(entry);
		void shelf?.release(this.ended.splice(0));
		const learning = learn(run.rules, shelf?.claim(open, maySend));
		this.lastClaim = Promise.all([this.lastClaim, learning]).then();
		await doneOrAborted(this.lastClaim, stop);
	}

	/**
	 * Lets an item that was accepted be sent once more, so that the last one wins (rule 9): if it is
	 * safe to repeat, and one of those before it for its recipient was sent in this run.
	 */
	follow(entry: Entry, predecessors: readonly Item[]): void {
		const wasSent = ({ index }: Item): boolean => this.entries[index]?.sentAt !== undefined;
		if (!entry.item.operation.repeatable || !predecessors.some(wasSent)) return;
		this.parts.notes.forget(entry);
		entry.earlier = NOTHING;
	}

	/** Gives what becomes of an item without being sent; the item itself if it may be sent. */
	before(entry: Entry): Outcome | Sendable {
		const earlier = earlierOutcome(entry);
		if (earlier !== undefined) return earlier;
		const { hold, item } = entry;
		if (!isSendable(item)) return failed(item.failure);
		const { barredBy, run } = this.parts;
		if (run.signal.aborted) return failed(STOPPED);
		if (barredBy) return failed(barredBy);
		return hold ?? run.rules.holdBack(item) ?? item;
	}

	/**
	 * Writes down that a request of the item is sent now.
	 *
	 * @returns what became of it, if another call of the same tool has sent it in the meantime
	 */
	sending(entry: Entry): Outcome | undefined {
		if (entry.sentAt === undefined) {
			this.matchCallsOfTool();
			const earlier = earlierOutcome(entry);
			if (earlier !== undefined) return earlier;
			this.parts.notes.noteSending(entry);
		}
		entry.sentAt = Date.now();
		return undefined;
	}

	/** Remembers what became of an item. Resolves when it is on the shelf. */
	async settle(entry: Entry, outcome: Outcome): Promise<void> {
		const { notes, shelf } = this.parts;
		const { earlier } = entry;
		entry.outcome = outcome;
		// Also of an item that is held back between two requests, which is no failure.
		const isInDoubt = earlier.kind === 'maybeSent' && !mayHaveBeenSent(outcome);
		if (entry.sentAt !== undefined)
			notes.settle(entry, isInDoubt ? failed(earlier.failure) : outcome);
		if (shelf?.settle) await shelf.settle(entry);
		else this.ended.push(entry);
	}

	/** True if nothing may be sent. */
	get isBarred(): boolean {
		return this.parts.barredBy !== undefined;
	}

	/** How many items an earlier try has sent, which the service has accepted. */
	get acceptedBefore(): number {
		return this.entries.filter(
			({ outcome, sentAt }) => outcome?.kind === 'accepted' && sentAt === undefined,
		).length;
	}

	/** How many items were sent in this run although an earlier try may have sent them. */
	get sentAgain(): number {
		return this.entries.filter(
			({ earlier, sentAt }) => earlier.kind === 'maybeSent' && sentAt !== undefined,
		).length;
	}

	/** Ends the run: keeps its numbers, gives up what was not sent, lets another retry have it. */
	async close(): Promise<void> {
		const { entries, lease, rounds, shelf } = this.parts;
		rounds.keep(entries.filter(maySomeTryHaveSent).flatMap(({ id }) => id ?? []));
		await Promise.allSettled([this.lastClaim]);
		await shelf?.release(entries);
		await lease?.release();
	}

	/** Finds what other calls of the tool have noted meanwhile: each request is an item of them. */
	private matchCallsOfTool(): void {
		const { entries, notes, run } = this.parts;
		if (run.host.toolHost === undefined) return;
		notes.refresh();
		const matched = new Set(entries.map(({ note }) => note));
		const unmatched = notes.all.filter((note) => !matched.has(note));
		const open = entries.map(({ id, note }) => (note ? undefined : id));
		for (const [index, note] of matchIds(open, unmatched)) {
			const entry = entries[index];
			if (entry === undefined) continue;
			entry.note = note;
			entry.earlier = earlierByNote(entry.item, note);
		}
	}
}

/** Puts what the shelf says into the entries. A note knows more of an earlier try than a mark. */
async function learn(rules: Rules, asking?: Promise<ShelfAnswers>): Promise<void> {
	for (const [entry, { earlier = NOTHING, hold, claim }] of (await asking) ?? []) {
		if (earlier.kind === 'accepted' || entry.earlier.kind === 'nothing') entry.earlier = earlier;
		if (hold) entry.hold = hold;
		if (claim !== undefined) entry.claim = claim;
		if (entry.earlier.kind !== 'nothing') rules.keepPlace(entry.item);
	}
}

/** Gives the earlier outcome of an item; `undefined` if none, or if unknown and sent again. */
function earlierOutcome(entry: Entry): Outcome | undefined {
	const { earlier, item } = entry;
	if (earlier.kind === 'accepted') return earlier;
	if (earlier.kind === 'nothing' || !staysUnknown(entry)) return undefined;
	return failed(isSendable(item) ? earlier.failure : stillUnknown(earlier.failure, item.failure));
}
