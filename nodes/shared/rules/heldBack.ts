import type { IDataObject } from 'n8n-workflow';

import { isAllowedAt, nextAllowed, type Hours } from './allowedHours';
import { formatWithZone } from './localTime';
import { columnsOf, type Named } from './person';
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

/** Says whether an item is held back because nothing is known of its number. */
export const isOfUnknownZone = ({ timezones }: HeldBack): boolean => timezones?.length === 0;

/** Makes the output of a held-back item. */
export const heldBackOutput = (
	{ reason, notBefore, timezones }: HeldBack,
	person: Named,
): IDataObject => ({
	...columnsOf(person, 'heldBack', reason),
	notBefore,
	...(timezones && { timezones: [...timezones] }),
});

/** Writes what a held-back item tells an agent: also what not to do again. */
export const heldBackForAgent = (heldBack: HeldBack, person: Named): IDataObject => ({
	...heldBackOutput(heldBack, person),
	message: `Nothing was sent: ${whyHeldBack(heldBack, person.toNumber)}. ${whenAgain(heldBack)}`,
});

const whyHeldBack = (heldBack: HeldBack, toNumber: string): string =>
	isOfUnknownZone(heldBack)
		? `the time zone of ${toNumber} is not known, and so not whether people may be contacted there now`
		: REASONS[heldBack.reason](toNumber);

const REASONS: Readonly<Record<HoldReason, (toNumber: string) => string>> = {
	doNotContact: (toNumber) => `${toNumber} is on the list of numbers that must not be contacted`,
	contactedRecently: (toNumber) => `${toNumber} was contacted recently, or may have been`,
	contactedOften: (toNumber) => `${toNumber} was contacted as often as the rules allow`,
	outsideHours: () => 'the current time is outside the hours in which people may be contacted',
};

const whenAgain = ({ reason, notBefore }: HeldBack): string => {
	if (reason === 'doNotContact')
		return 'Do not contact this person again, by this or another tool.';
	return notBefore === null
		? 'Do not repeat this tool call: no later time is known.'
		: `Do not repeat this tool call before ${notBefore}.`;
};

/** In milliseconds. */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The latest time that is told: somebody may have entered a contact that no date can follow. */
const LATEST = Date.UTC(9999, 0);

/**
 * Holds back who was contacted too short a time ago, or too often.
 *
 * @param contacts when the person was contacted, in milliseconds since the epoch, newest first
 */
export function holdContacted(
	contacts: readonly number[],
	{ notAgainWithin, atMostContacts, atMostDays }: ContactRules,
	now: number,
	timezone: string,
): HeldBack | undefined {
	const [last = NaN] = notAgainWithin > 0 ? contacts : [];
	// If it was too long ago, there are fewer contacts than allowed within the days.
	const nth = contacts[atMostContacts - 1] ?? NaN;
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
