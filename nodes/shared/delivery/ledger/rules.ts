import { isListed } from '../../outreach/doNotContact';
import { createHoursRule, holdContacted, type HeldBack } from '../../outreach/heldBack';
import { isTimezone } from '../../outreach/localTime';
import { zonesOfContact } from '../../outreach/numberZones';
import { plansOf, type Planned } from '../../request/planned';
import type { Contact, ItemPlan } from '../../request/request';

/** What is known of the recipient of an item. */
export interface History {
	/** When the person was contacted, in milliseconds since the epoch, newest first. */
	readonly contacts: readonly number[];
	/** True if the person must not be contacted, whatever the list of the item says. */
	readonly isOptedOut?: boolean;
	/** True if nobody can say whether the newest contact has reached the person. */
	readonly isUnsettled?: boolean;
}

/** Nothing is known. */
export const NO_HISTORY: History = { contacts: [] };

/** The rules of contact of the items of a run. */
export class Rules {
	private readonly plans: readonly (ItemPlan | undefined)[];

	private readonly holdByHours = createHoursRule();

	/** The workflow's; `undefined` if this Node.js does not know it. */
	private readonly timezone: string | undefined;

	/**
	 * @param planned the items by index
	 * @param timezone the workflow's, for items without one of their own; n8n takes any text for it
	 */
	constructor(planned: readonly Planned[], timezone: string) {
		this.plans = plansOf(planned);
		this.timezone = isTimezone(timezone) ? timezone : undefined;
	}

	/**
	 * What holds an item back; `undefined` if nothing does. Whom not to contact comes first, then the earlier contacts, then
	 * the hours.
	 */
	holdBack(index: number, history: History): HeldBack | undefined {
		const { contacts, isOptedOut = false, isUnsettled = false } = history;
		const contact = this.plans[index]?.contact;
		if (contact === undefined) return undefined;
		const { rules, toNumber } = contact;
		if (isOptedOut || isListed(rules.doNotContact, toNumber))
			return { reason: 'doNotContact', notBefore: null };
		const zone = this.timezoneOf(contact) ?? 'UTC';
		const contacted = holdContacted(contacts, rules, Date.now(), zone);
		return contacted
			? { ...contacted, ...(isUnsettled && { isUnsettled }) }
			: this.holdOutside(index);
	}

	/** What holds an item back by its hours at this moment. */
	holdOutside(index: number): HeldBack | undefined {
		const contact = this.plans[index]?.contact;
		if (contact === undefined || contact.rules.allowedHours.length === 0) return undefined;
		const own = this.timezoneOf(contact);
		const ofNumber = zonesOfContact(contact);
		// Without any zone, nobody knows whether the hours hold.
		const zones = ofNumber ?? (own === undefined ? [] : [own]);
		const heldBack = this.holdByHours(contact.rules.allowedHours, zones, Date.now());
		// A zone that was set in n8n is not told.
		const isSet = ofNumber === undefined && own !== undefined;
		return heldBack && { ...heldBack, ...(!isSet && { timezones: zones }) };
	}

	private timezoneOf({ rules }: Contact): string | undefined {
		return rules.timezone ?? this.timezone;
	}
}
