import { DAY, HOUR } from '../time/clock';
import { isAllowedAt, nextAllowed, type Hours } from './allowedHours';
import { formatWithZone } from './localTime';
import type { ContactRules } from './contactRules';
import { comparable, standingOf, type ListReason, type PastContact } from './lists';

/** Why an item was not sent although nothing was wrong with it. */
export type HoldReason =
	'doNotContact' | ListReason | 'contactedRecently' | 'contactedOften' | 'outsideHours' | 'runFull';

/** An item that a rule of contact holds back. It is no failure. */
export interface HeldBack {
	readonly reason: HoldReason;
	/** When it may be tried again, as ISO 8601 with zone; `null` for never, or nobody knows. */
	readonly notBefore: string | null;
	/** The zones that the number can be in, if asked for; none if nothing is known of it. */
	readonly timezones?: readonly string[];
}

/** The latest time that is told: somebody may have entered a contact that no date can follow. */
const LATEST = Date.UTC(9999, 0);

/**
 * Holds back a person who is not due on the list, or was contacted too short a time ago, or too
 * often.
 *
 * @param contacts of the person, newest first
 * @param operation e.g. `call.place`
 */
export function holdContacted(
	contacts: readonly PastContact[],
	rules: ContactRules,
	operation: string,
	now: number,
	timezone: string,
): HeldBack | undefined {
	const { list, notAgainWithin, atMostContacts, atMostDays } = rules;
	const name = comparable(list);
	const standing = list === undefined ? {} : standingOf(contacts, rules, operation, now);
	const toTime = (time: number): string =>
		formatWithZone(Math.min(Math.ceil(time), LATEST), timezone);
	const { reason, until } = standing;
	if (reason) return { reason, notBefore: until === undefined ? null : toTime(until) };
	// A call back that is due lifts *Not Again Within*, but not while somebody else calls the person.
	const counts = (contact: PastContact): boolean =>
		standing.isCallBackDue !== true || (contact.isClaimed && contact.list !== name);
	const last = notAgainWithin > 0 ? contacts.find(counts) : undefined;
	// If it was too long ago, there are fewer contacts than allowed within the days.
	const nth = contacts[atMostContacts - 1];
	const holdUntil = (held: HoldReason, time = NaN): HeldBack | undefined =>
		now < time ? { reason: held, notBefore: toTime(time) } : undefined;
	return (
		holdUntil('contactedRecently', last && last.at + notAgainWithin * HOUR) ??
		holdUntil('contactedOften', nth && nth.at + atMostDays * DAY)
	);
}

/** Holds back what is outside of the hours in any of its zones, or has no zone. */
export function holdOutside(
	hours: readonly Hours[],
	timezones: readonly string[],
	now: number,
): HeldBack | undefined {
	const [timezone] = timezones;
	if (timezone === undefined) return { reason: 'outsideHours', notBefore: null };
	if (timezones.every((zone) => isAllowedAt(now, hours, zone))) return undefined;
	const next = nextAllowed(now, hours, timezones);
	const notBefore = next === undefined ? null : formatWithZone(next, timezone);
	return { reason: 'outsideHours', notBefore };
}
