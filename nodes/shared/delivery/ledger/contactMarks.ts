import { HOUR } from '../../outreach/heldBack';
import { digest } from '../../request/itemKeys';

/** In how many parts a span of time is cut. */
const PARTS = 8;

/** How many marks a contact has. */
export const MARKS_PER_CONTACT = 3;

/** The parts in which a contact can have been made that has a mark for the span of now, counted from the part of now. */
export const PARTS_AROUND: readonly number[] = Array.from(
	{ length: 2 * PARTS + 1 },
	(_, index) => index - PARTS,
);

/**
 * The marks of a contact. n8n's store holds marks without times, and asking for a mark adds it. So time is cut into spans as
 * long as the hours in which the person is not contacted again, and a contact has a mark for the span it falls into and for
 * the next one: a mark for the span of now says that the person may have been contacted too short a time ago, and without
 * one, the same question has marked the contact that is about to be made. The third mark is for the part of the span, an
 * eighth of it. It tells when the contact was made.
 *
 * A mark for the next span shows also a contact that was made while the clock was ahead.
 *
 * @param hours for how long the person is not contacted again
 * @param at in milliseconds since the epoch
 */
export function contactMarks(person: string, hours: number, at: number): string[] {
	const span = Math.floor(at / (hours * HOUR));
	const spans = [span, span + 1].map((one) => digest(`contact ${person} ${hours} span ${one}`));
	return [...spans, partMark(person, hours, partOf(at, hours))];
}

/** The mark of a contact that was made in this part of time. */
export const partMark = (person: string, hours: number, part: number): string =>
	digest(`contact ${person} ${hours} part ${part}`);

/** The part of time, counted from the epoch. */
export const partOf = (at: number, hours: number): number => Math.floor(at / partLength(hours));

/** When a contact of this part of time was made at the latest, in milliseconds since the epoch. */
export const endOf = (part: number, hours: number): number => (part + 1) * partLength(hours);

const partLength = (hours: number): number => (hours * HOUR) / PARTS;
