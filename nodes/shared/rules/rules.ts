import type { Hours } from './allowedHours';
import { isListed } from './doNotContact';
import { holdContacted, holdOutside, type HeldBack } from './heldBack';
import { isTimezone } from './localTime';
import { zonesOfContact } from './numberZones';
import type { PastContact } from './lists';
import type { Person } from './person';

/** A rule that holds an item back is its outcome. */
type Hold = { readonly kind: 'heldBack' } & HeldBack;

/** An item as far as the rules go: its place in the input, and who it is for. */
interface ItemOfPerson {
	readonly index: number;
	/** Absent if the operation does not reach one person by phone number. */
	readonly person?: Person;
}

/** What the contact book says of a person. */
export interface BookOfPerson {
	/** When it was read, in milliseconds since the epoch. */
	readonly at: number;
	/** Newest first. */
	readonly contacts: readonly PastContact[];
	/** True if a row with `doNotContact`, in any mode, holds the person back. */
	readonly isOptedOut: boolean;
}

/** The rules of contact of a run. */
export class Rules {
	/** The items that were sent in this run or an earlier try, or are about to be, by index. */
	private readonly places = new Set<number>();

	/** How many places there are: the lowest *At Most per Run* of all items. */
	private readonly placeCount: number;

	/** What was found of hours and zones in this minute: many items have the same. */
	private readonly outside = new Map<string, HeldBack | undefined>();

	private minute = NaN;

	/** The workflow's; `undefined` if this Node.js does not know it. */
	private readonly timezone: string | undefined;

	/**
	 * @param timezone the workflow's, for items without their own; n8n takes any text for it
	 * @param operation e.g. `call.place`
	 */
	constructor(
		timezone: string,
		private readonly operation: string,
		items: readonly ItemOfPerson[],
	) {
		this.timezone = isTimezone(timezone) ? timezone : undefined;
		const limits = items.map(({ person }) => person?.rules.atMostPerRun ?? Infinity);
		this.placeCount = limits.reduce((lowest, limit) => Math.min(lowest, limit), Infinity);
	}

	/** Gives an item a place that an earlier try has sent, or may have sent. */
	keepPlace({ index }: ItemOfPerson): void {
		this.places.add(index);
	}

	/**
	 * Says what holds an item back; if nothing does, it takes its place, and gives `undefined`.
	 * Opt-outs come first, then the earlier contacts, the hours, and the places.
	 *
	 * @param book absent if it is not asked, or was asked before
	 */
	holdBack({ index, person }: ItemOfPerson, book = notAsked()): Hold | undefined {
		if (person === undefined) return undefined;
		const { at: now, contacts, isOptedOut } = book;
		const { rules, toNumber } = person;
		if (isOptedOut || isListed(rules.doNotContact, toNumber))
			return { kind: 'heldBack', reason: 'doNotContact', notBefore: null };
		const zone = rules.timezone ?? this.timezone ?? 'UTC';
		const contacted = holdContacted(contacts, rules, this.operation, now, zone);
		if (contacted) return { kind: 'heldBack', ...contacted };
		const outside = this.holdOutside(person, now);
		if (outside) return outside;
		if (!this.places.has(index) && this.places.size >= this.placeCount)
			return { kind: 'heldBack', reason: 'runFull', notBefore: null };
		this.places.add(index);
		return undefined;
	}

	/** Says what holds an item back by its hours at a moment, in milliseconds since the epoch. */
	holdOutside(person: Person | undefined, now = Date.now()): Hold | undefined {
		if (person === undefined || person.rules.allowedHours.length === 0) return undefined;
		const usualZone = person.rules.timezone ?? this.timezone;
		const contactZones = zonesOfContact(person);
		// Without any zone, nobody knows whether the hours hold.
		const zones = contactZones ?? (usualZone === undefined ? [] : [usualZone]);
		const heldBack = this.findOutside(person.rules.allowedHours, zones, now);
		// A zone that was set in n8n is not told.
		const isUsualZone = contactZones === undefined && usualZone !== undefined;
		return heldBack && { kind: 'heldBack', ...heldBack, ...(!isUsualZone && { timezones: zones }) };
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

const notAsked = (): BookOfPerson => ({ at: Date.now(), contacts: [], isOptedOut: false });
