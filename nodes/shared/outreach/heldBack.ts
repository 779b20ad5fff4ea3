import type { IDataObject } from 'n8n-workflow';

import { isAllowedAt, nextAllowed, type Hours } from './allowedHours';
import { formatWithZone } from './localTime';
import { columnsOf, type Person } from './person';
import type { ContactRules } from './rules';

/** Why an item was not sent although nothing was wrong with it. */
export type HoldReason = 'doNotContact' | 'contactedRecently' | 'contactedOften' | 'outsideHours';

/** An item that a rule of contact holds back. It is no failure. */
export interface HeldBack {
	readonly reason: HoldReason;
	/** When it may be tried again, as ISO 8601 with zone; `null` for never, or nobody knows. */
	readonly notBefore: string | null;
}

/** The output of a held-back item. */
export const heldBackOutput = ({ reason, notBefore }: HeldBack, person: Person): IDataObject => ({
	...columnsOf(person, 'heldBack', reason),
	notBefore,
});

/** What a held-back item tells an agent: also what not to do again. */
export const heldBackForAgent = (heldBack: HeldBack, person: Person): IDataObject => ({
	...heldBackOutput(heldBack, person),
	message: `Nothing was sent: ${REASONS[heldBack.reason](person.toNumber)}. ${whenAgain(heldBack)}`,
});

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
export const HOUR = 3_600_000;

const DAY = 24 * HOUR;

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
	const isWithin = (at: number | undefined, time: number): at is number =>
		at !== undefined && now < at + time;
	const hold = (reason: HoldReason, until: number): HeldBack => ({
		reason,
		notBefore: formatWithZone(Math.ceil(until / 1_000) * 1_000, timezone),
	});
	const last = contacts[0];
	if (isWithin(last, notAgainWithin * HOUR))
		return hold('contactedRecently', last + notAgainWithin * HOUR);
	// If it was too long ago, there are fewer contacts than allowed within the days.
	const nth = atMostContacts > 0 ? contacts[atMostContacts - 1] : undefined;
	return isWithin(nth, atMostDays * DAY)
		? hold('contactedOften', nth + atMostDays * DAY)
		: undefined;
}

/** The next allowed moment by zone and hours, with the moment from which it was looked for. */
interface Next {
	readonly from: number;
	readonly next: number | undefined;
}

/** Prepares to hold back what is outside of the hours. Many items have the same hours, so the next moment is kept. */
export function createHoursRule(): (
	hours: readonly Hours[],
	timezone: string,
	now: number,
) => HeldBack | undefined {
	const known = new Map<string, Next>();
	return (hours, timezone, now) => {
		if (isAllowedAt(now, hours, timezone)) return undefined;
		const key = `${timezone} ${JSON.stringify(hours)}`;
		let found = known.get(key);
		if (found === undefined || now < found.from || now >= (found.next ?? Infinity)) {
			found = { from: now, next: nextAllowed(now, hours, timezone) };
			known.set(key, found);
		}
		const { next } = found;
		return {
			reason: 'outsideHours',
			notBefore: next === undefined ? null : formatWithZone(next, timezone),
		};
	};
}
