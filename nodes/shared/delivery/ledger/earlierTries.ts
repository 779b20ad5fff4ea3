import type { Failure } from '../../answer/failure';
import { isUnsendable, type Planned } from '../../request/planned';
import { failed, type RunResult } from '../result';
import type { BookContacts } from './bookContacts';
import { lostWithN8n, type Marks } from './marks';
import { lostAnswer, type Notes } from './notes';

interface Memories {
	readonly notes: Notes;
	readonly marks?: Marks;
	readonly contacts?: BookContacts;
}

/** What earlier tries of an execution have done with its items, by the notes, the marks and the contact book. */
export class EarlierTries {
	/** @param planned the items by index */
	constructor(
		private readonly planned: readonly Planned[],
		private readonly memories: Memories,
	) {}

	/**
	 * True if one of them may have sent the item, by its notes or marks: contacts by it do not hold the item back. The contact
	 * book is left out, because it is asked with this answer.
	 */
	isNotedOrMarked(index: number): boolean {
		const { marks, notes } = this.memories;
		return notes.of(index) !== undefined || marks?.wasMarkedBefore(index) === true;
	}

	/** What became of the item there; `undefined` if nothing, or if it is unknown and the item is to be sent again. */
	resultOf(index: number): RunResult | undefined {
		const item = this.planned[index];
		const { contacts, notes } = this.memories;
		const earlierTry = contacts?.earlierTry(index);
		const accepted = notes.of(index)?.accepted ?? (typeof earlierTry === 'object' && earlierTry);
		if (accepted) return { accepted: true, ...accepted };
		const doubt = this.doubtOf(index);
		if (item === undefined || doubt === undefined) return undefined;
		if (isUnsendable(item)) return failed(stillUnknown(doubt, item.failure));
		return item.options.ifOutcomeUnknown === 'sendAgain' ? undefined : failed(doubt);
	}

	/** What they leave in doubt of the item; `undefined` if nothing, or if the operation is safe to repeat. */
	doubtOf(index: number): Failure | undefined {
		const { contacts, marks, notes } = this.memories;
		const item = this.planned[index];
		const note = notes.of(index);
		if (item === undefined || item.operation.repeatable || note?.accepted) return undefined;
		const inBook = contacts?.earlierTry(index);
		const known = { ofEarlierTry: 'failure', isSettled: inBook === 'notMade' } as const;
		if (note) return { ...(note.failure ?? lostAnswer()), ...known };
		// Else the notes are complete: what they do not know was not sent, or the service did nothing for it.
		const isInBook = notes.isLost && inBook === 'possible';
		const isKnown = isInBook || marks?.wasMarkedBefore(index) === true;
		return isKnown ? { ...lostWithN8n(), ...known } : undefined;
	}
}

/**
 * The failure of an item that an earlier try may have sent, and that this one has not: what went wrong now, unless it was
 * not the item's turn any more.
 *
 * @param doubt what is known of the earlier try
 */
export function stillUnknown(doubt: Failure, now: Failure): Failure {
	if (now.kind === 'stopped') return doubt;
	const { isSettled } = doubt;
	const more = isSettled === true ? '' : ', and an earlier try may have sent it';
	const message = now.message.replace(/\.$/, '') + more;
	// What `planItems.ts` says so holds for this try alone.
	const hint = now.hint.replace(/^Nothing was sent[^.]*\. /, '');
	return { ...now, outcome: 'unknown', ofEarlierTry: 'outcome', isSettled, message, hint };
}
