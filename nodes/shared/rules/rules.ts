import type { Hours } from './allowedHours';
import { isListed } from './doNotContact';
import { holdContacted, holdOutside, type HeldBack } from './heldBack';
import { isTimezone } from './localTime';
import { zonesOfContact } from './numberZones';
import type { Person } from './person';

/** A rule that holds an item back is its outcome. */
type Hold = { readonly kind: 'heldBack' } & HeldBack;

/** The rules of contact of a run. */
export class Rules {
	/** What was found of hours and zones in this minute: many items have the same. */
	private readonly outside = new Map<string, HeldBack | undefined>();

	private minute = NaN;

	/** The workflow's; `undefined` if this Node.js does not know it. */
	private readonly timezone: string | undefined;

	/** @param timezone the workflow's, for items without their own; n8n takes any text for it */
	constructor(timezone: string) {
		this.timezone = isTimezone(timezone) ? timezone : undefined;
	}

	/**
	 * Says what holds an item back; `undefined` if nothing does. Opt-outs come first, then the
	 * earlier contacts, then the hours.
	 *
	 * @param contacts when the person was contacted, in milliseconds since the epoch, newest first
	 * @param isOptedOut true if the person must not be contacted, whatever the list of the item says
	 * @param now in milliseconds since the epoch
	 */
	holdBack(
		person: Person | undefined,
		contacts: readonly number[] = [],
		isOptedOut = false,
		now = Date.now(),
	): Hold | undefined {
		if (person === undefined) return undefined;
		const { rules, toNumber } = person;
		if (isOptedOut || isListed(rules.doNotContact, toNumber))
			return { kind: 'heldBack', reason: 'doNotContact', notBefore: null };
		const zone = rules.timezone ?? this.timezone ?? 'UTC';
		const contacted = holdContacted(contacts, rules, now, zone);
		return contacted ? { kind: 'heldBack', ...contacted } : this.holdOutside(person, now);
	}

	/** Says what holds an item back by its hours at a moment, in milliseconds since the epoch. */
	holdOutside(person: Person | undefined, now = Date.now()): Hold | undefined {
		if (person === undefined || person.rules.allowedHours.length === 0) return undefined;
		const zoneSet = person.rules.timezone ?? this.timezone;
		const ofNumber = zonesOfContact(person);
		// Without any zone, nobody knows whether the hours hold.
		const zones = ofNumber ?? (zoneSet === undefined ? [] : [zoneSet]);
		const heldBack = this.findOutside(person.rules.allowedHours, zones, now);
		// A zone that was set in n8n is not told.
		const isSet = ofNumber === undefined && zoneSet !== undefined;
		return heldBack && { kind: 'heldBack', ...heldBack, ...(!isSet && { timezones: zones }) };
	}

	private findOutside(hours: readonly Hours[], zones: readonly string[], now: number) {
		const minute = Math.floor(now / 60_000);
		if (minute !== this.minute) this.outside.clear();
		this.minute = minute;
		const key = `${zones.join(' ')} ${JSON.stringify(hours)}`;
		if (!this.outside.has(key)) this.outside.set(key, holdOutside(hours, zones, now));
		return this.outside.get(key);
	}
}
