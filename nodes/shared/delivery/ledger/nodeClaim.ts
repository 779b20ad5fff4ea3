import { contactMarks, latestTimeOf } from './contactMarks';
import { takeVoided } from './people';

/** An item that is about to contact somebody. */
export interface NodeClaim {
	readonly index: number;
	readonly person: string;
	/** For how long the person is not contacted again. */
	readonly hours: number;
	/** When the claim was made, in milliseconds since the epoch. */
	readonly madeAt: number;
	/** The marks of the contact. */
	readonly marks: readonly string[];
	/** Those that were added for this claim, or taken over from one that contacted nobody: no other contact has them. */
	readonly added: string[];
	/** Those that the store is asked to add. */
	readonly asked: readonly string[];
	/** When a request of the item was sent last in this try. */
	sentAt?: number;
	/** When another item or an earlier try contacted the person at the latest, in milliseconds since the epoch. */
	earlierAt?: number;
	/** True if that is known from n8n's store. */
	isFromStore?: boolean;
	/** True once n8n keeps the marks: the claim is made. */
	isKept: boolean;
}

/** @param now in milliseconds since the epoch */
export function createClaim(index: number, person: string, hours: number, now: number): NodeClaim {
	const marks = contactMarks(person, hours, now);
	const added = marks.filter((mark) => takeVoided(person, mark));
	const asked = marks.filter((mark) => !added.includes(mark));
	return { index, person, hours, marks, added, asked, madeAt: now, isKept: false };
}

/**
 * Reads what n8n's store knew of the person before the claim, and notes it in the claim.
 *
 * @param before which marks were in the store before; `undefined` if n8n cannot keep marks
 */
export function readStore(
	claim: NodeClaim,
	before: ReadonlySet<string> | undefined,
): 'contact' | 'none' | 'unreadable' {
	if (before === undefined) return 'unreadable';
	claim.added.push(...claim.asked.filter((mark) => !before.has(mark)));
	// The last mark that was there before is of an earlier contact.
	const last = claim.marks.findLastIndex((mark) => !claim.added.includes(mark));
	if (last === -1) return 'none';
	claim.earlierAt = latestTimeOf(claim.hours, claim.madeAt, last);
	claim.isFromStore = true;
	return 'contact';
}

/** The marks that a contact at this time needs, in milliseconds since the epoch, and the claim does not have. */
export const marksLacking = ({ person, hours, marks }: NodeClaim, at: number): string[] =>
	contactMarks(person, hours, at).filter((mark) => !marks.includes(mark));

/** The marks that the claim has added, and a contact at this time does not need. */
export function marksBeyond({ person, hours, added }: NodeClaim, at: number): string[] {
	const needed = contactMarks(person, hours, at);
	return added.filter((mark) => !needed.includes(mark));
}
