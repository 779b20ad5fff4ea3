import type { Failure } from '../answer/failure';
import { isSendable, type Item } from '../items/item';
import type { ItemId } from '../items/subject';
import { lostAnswer, lostWithN8n, stillUnknown } from './deliveryFailures';
import type { Note } from './note';
import { failed, failureOf, mayHaveBeenSent, type Accepted, type Outcome } from './outcome';

/** What the earlier tries of an execution have done with an item. */
export type Earlier =
	| { readonly kind: 'nothing' }
	/** They may have sent it; the failure is told while nobody knows more. */
	| { readonly kind: 'maybeSent'; readonly failure: Failure }
	| Accepted;

export const NOTHING: Earlier = { kind: 'nothing' };

/** Everything that is known of one item in this run. */
export interface Entry {
	readonly item: Item;
	/** The same in all tries of the execution; absent if the subject cannot be read. */
	readonly id?: ItemId;
	earlier: Earlier;
	/** What n8n saves of it, once an earlier try or this one has sent it. */
	note?: Note;
	/** Why it is not sent now: a rule of contact, or a memory that cannot be read. */
	hold?: Outcome;
	/** Names its row or its mark of this run, until that is settled. */
	claim?: string;
	/** When its last request was sent in this run, in milliseconds since the epoch. */
	sentAt?: number;
	/** What became of it in this run; see {@link countedOutcome}. */
	outcome?: Outcome;
}

/** Makes what is known of an item that an earlier try was about to send when n8n died. */
export const maybeSentBeforeCrash = (): Earlier => inDoubt(lostWithN8n());

/** Reads what a note says; nothing of what is safe to repeat, unless it was accepted. */
export function earlierByNote({ operation }: Item, note: Note | undefined): Earlier {
	if (note?.accepted) return { kind: 'accepted', ...note.accepted };
	if (note === undefined || operation.repeatable) return NOTHING;
	return inDoubt(note.failure ?? lostAnswer());
}

const inDoubt = (failure: Failure): Earlier => ({
	kind: 'maybeSent',
	failure: { ...failure, ofEarlierTry: 'failure' },
});

/** Says whether an item that an earlier try may have sent is not sent again. */
export const staysUnknown = ({ earlier, item }: Pick<Entry, 'earlier' | 'item'>): boolean =>
	earlier.kind === 'maybeSent' &&
	(!isSendable(item) || item.options.ifOutcomeUnknown !== 'sendAgain');

/**
 * Gives what counts of an item that has ended: if an earlier try may have sent it, it stays unknown
 * although it was refused or not sent now.
 */
export function countedOutcome({ earlier, outcome }: Entry): Outcome | undefined {
	const failure = failureOf(outcome);
	const isInDoubt = earlier.kind === 'maybeSent' && failure && failure.outcome !== 'unknown';
	return isInDoubt ? failed(stillUnknown(earlier.failure, failure)) : outcome;
}

/** Says whether an item that has ended may have been sent, in this try or in an earlier one. */
export const maySomeTryHaveSent = ({ earlier, outcome }: Entry): boolean =>
	outcome !== undefined && (earlier.kind === 'maybeSent' || mayHaveBeenSent(outcome));
