import { HOUR } from '../../outreach/heldBack';
import { digest } from '../../request/itemKeys';

/** How many parts of time there are in the hours in which somebody is not contacted again. */
const PARTS = 8;

/** How many marks a contact has: one for the part of the time in which it is made, and one for each that follows. */
export const MARKS_PER_CONTACT = PARTS + 1;

/**
 * The marks of a contact, in the order of their parts of time.
 *
 * n8n's store holds marks without times, and asking for a mark adds it. So time is cut into parts of an eighth of `hours`,
 * and a contact has a mark for the part it falls into and for each of the eight that follow. Somebody was contacted if there
 * is a mark for the part of now; the last of their marks says when. For example, with 8 hours a contact at 10:20 has marks
 * for 10:00, 11:00 and so on to 18:00. At 15:30 the marks from 15:00 to 23:00 are asked for, and added; those of 15:00 to
 * 18:00 were there before, so the contact was before 11:00.
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
 * When a contact was made at the latest, by the last mark that was there before; in milliseconds since the epoch.
 *
 * @param at the time for which {@link contactMarks} were asked for
 * @param last the index of that mark among them
 */
export const latestTimeOf = (hours: number, at: number, last: number): number =>
	Math.ceil((partOf(at, hours) + last + 1) * partLength(hours)) - hours * HOUR - 1;

const partLength = (hours: number): number => (hours * HOUR) / PARTS;

const partOf = (time: number, hours: number): number => Math.floor(time / partLength(hours));
