import { HOUR } from '../../outreach/heldBack';
import { digest } from '../../request/itemKeys';

/** In how many parts the time is cut in which somebody is not contacted again. */
const PARTS = 8;

/** How many marks a contact has: one for the part of the time in which it is made, and one for each that follows. */
export const MARKS_PER_CONTACT = PARTS + 1;

/**
 * The marks of a contact, in the order of their parts of time.
 *
 * n8n's store holds marks without times, and asking for a mark adds it. So time is cut into parts of an eighth of the
 * hours asked for, and a contact has a mark for the part it falls into and for each of the eight that follow: somebody was
 * contacted if there is a mark for the part of now, and when, the last mark tells. All of them are asked for at once, since
 * who is contacted needs them anyway.
 *
 * @param hours for how long the person is not contacted again
 * @param at in milliseconds since the epoch
 */
export function contactMarks(person: string, hours: number, at: number): string[] {
	const part = partOf(at, hours);
	return Array.from({ length: MARKS_PER_CONTACT }, (_, later) =>
		digest(`contact ${person} ${hours} ${part + later}`),
	);
}

/**
 * When the contact was made at the latest whose last mark is this one of {@link contactMarks}, in milliseconds since the
 * epoch.
 *
 * @param last the place of the mark among them
 */
export const latestTimeOf = (hours: number, at: number, last: number): number =>
	(partOf(at, hours) + last + 1) * partLength(hours) - hours * HOUR;

const partLength = (hours: number): number => (hours * HOUR) / PARTS;

const partOf = (time: number, hours: number): number => Math.floor(time / partLength(hours));
