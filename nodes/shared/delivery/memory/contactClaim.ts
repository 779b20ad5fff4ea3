import { MARKS_PER_CONTACT, markOf, type MarkedContact } from './contactMarks';
import { takeVoided } from './contacts';
import type { MarkStore } from './crashMemory';

/** An item that is about to contact somebody. */
export interface Claim extends MarkedContact {
	readonly index: number;
	/** When the item was sent, or else when the claim was made; in milliseconds since the epoch. */
	at: number;
	/** True if n8n keeps its marks. */
	isKept: boolean;
	hasEnded: boolean;
	/** The marks that the claim has added or taken over. */
	readonly marks: string[];
}

/**
 * Gives claims their marks for these parts of time, in ascending order. What this process knows to stand for no contact
 * is taken over; n8n is asked for the rest.
 *
 * @returns the last part for which n8n knows another contact of the person, by claim
 * @throws Error if n8n cannot keep marks
 */
export async function markClaims(
	store: MarkStore,
	claims: readonly Claim[],
	parts: readonly number[],
): Promise<ReadonlyMap<Claim, number>> {
	const asked: { claim: Claim; part: number; mark: string }[] = [];
	for (const claim of claims) {
		for (const part of parts) {
			const mark = markOf(claim, part);
			if (takeVoided(claim.person, mark)) claim.marks.push(mark);
			else asked.push({ claim, part, mark });
		}
	}
	const known = new Map<Claim, number>();
	if (asked.length === 0) return known;
	const before = await store.add(asked.map(({ mark }) => mark));
	if (before === undefined) throw new Error('n8n cannot keep marks');
	const isThere = new Set(before);
	for (const { claim, part, mark } of asked) {
		if (isThere.has(mark)) known.set(claim, part);
		else claim.marks.push(mark);
	}
	return known;
}

/**
 * The last part for which n8n knows a contact of somebody for whom it knows one in the part of the claim. Found by
 * halves: a mark that is asked for is there afterwards.
 *
 * @throws Error if n8n cannot keep marks
 */
export async function findLastMark(store: MarkStore, claim: Claim): Promise<number> {
	let [last, free] = [0, MARKS_PER_CONTACT];
	while (free - last > 1) {
		const middle = Math.floor((last + free) / 2);
		const known = await markClaims(store, [claim], [middle]);
		if (known.has(claim)) last = middle;
		else free = middle;
	}
	return last;
}
