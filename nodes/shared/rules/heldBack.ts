import { isAllowedAt, nextAllowed, type Hours } from './allowedHours';
import { formatWithZone } from './localTime';
import type { ContactRules } from './contactRules';

/** Why an item was not sent although nothing was wrong with it. */
export type HoldReason = 'doNotContact' | 'contactedRecently' | 'contactedOften' | 'outsideHours';

/** An item that a rule of contact holds back. It is no failure. */
export interface HeldBack {
	readonly reason: HoldReason;
	/** When it may be tried again, as ISO 8601 with zone; `null` for never, or nobody knows. */
	readonly notBefore: string | null;
	/** The zones that the number can be in, if asked for; none if nothing is known of it. */
	readonly timezones?: readonly string[];
}

/** In milliseconds. */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The latest time that is told: somebody may have entered a contact that no date can follow. */
const LATEST = Date.UTC(9999, 0);

/**
 * Holds back who was contacted too short a time ago, or too often.
 *
 * @param contactTimes when the person was contacted, in milliseconds since the epoch, newest first
 */
export function holdContacted(
	contactTimes: readonly number[],
	{ notAgainWithin, atMostContacts, atMostDays }: ContactRules,
	now: number,
	timezone: string,
): HeldBack | undefined {
	const [last = NaN] = notAgainWithin > 0 ? contactTimes : [];
	// If it was too long ago, there are fewer contacts than allowed within the days.
	const nth = contactTimes[atMostContacts - 1] ?? NaN;
	const holdUntil = (reason: HoldReason, until: number): HeldBack | undefined =>
		now < until
			? { reason, notBefore: formatWithZone(Math.min(Math.ceil(until), LATEST), timezone) }
			: undefined;
	return (
		holdUntil('contactedRecently', last + notAgainWithin * HOUR) ??
		holdUntil('contactedOften', nth + atMostDays * DAY)
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
