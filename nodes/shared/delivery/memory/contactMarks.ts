import { HOUR } from '../../outreach/heldBack';
import { digest } from '../../request/itemKeys';

/** In how many parts the time is cut in which somebody is not contacted again. */
const PARTS = 8;

/** How many marks a contact has: one for the part of the time in which it is made, and one for each that follows. */
export const MARKS_PER_CONTACT = PARTS + 1;

/** The parts that follow the one in which a contact is made, counted from there. */
export const FOLLOWING: readonly number[] = Array.from({ length: PARTS }, (_, part) => part + 1);

/**
 * A contact as its marks tell it.
 *
 * n8n's store holds marks without times, and asking for a mark adds it. So time is cut into parts of an eighth of the
 * hours asked for, and a contact has a mark for the part it falls into and for each of the eight that follow: somebody
 * is known by a single question, for the part of now, and who is contacted needs that mark anyway.
 */
export interface MarkedContact {
	readonly person: string;
	/** For how long the person is not contacted again. */
	readonly hours: number;
	/** The part of time of its first mark, counted from the epoch. */
	readonly part: number;
}

/** @param at in milliseconds since the epoch */
export const markedContact = (person: string, hours: number, at: number): MarkedContact => ({
	person,
	hours,
	part: partOf(at, hours),
});

/** The mark for the part of time that comes `later` parts after the first. */
export const markOf = ({ person, hours, part }: MarkedContact, later: number): string =>
	digest(`contact ${person} ${hours} ${part + later}`);

/**
 * The marks that a contact needs beyond its first {@link MARKS_PER_CONTACT} if it was made in a later part of time.
 *
 * @param at in milliseconds since the epoch
 */
export function lateMarks(contact: MarkedContact, at: number): string[] {
	const passed = partOf(at, contact.hours) - contact.part;
	const missing = [0, ...FOLLOWING].map((part) => passed + part).filter((part) => part > PARTS);
	return missing.map((part) => markOf(contact, part));
}

/**
 * When an earlier contact of the person was made at the latest, in milliseconds since the epoch.
 *
 * @param last how many parts after the one of `contact` its last mark comes
 */
export const latestTimeOf = ({ hours, part }: MarkedContact, last: number): number =>
	(part + last + 1) * partLength(hours) - hours * HOUR;

const partLength = (hours: number): number => (hours * HOUR) / PARTS;

const partOf = (time: number, hours: number): number => Math.floor(time / partLength(hours));
