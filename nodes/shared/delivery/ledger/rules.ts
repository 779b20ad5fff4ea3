import { isListed } from '../../outreach/doNotContact';
import { createHoursRule, holdContacted, type HeldBack } from '../../outreach/heldBack';
import { zonesFromNumber } from '../../outreach/numberZones';
import { plansOf, type Planned } from '../../request/planned';
import type { Contact, ItemPlan } from '../../request/request';

/** What is known of the recipient of an item. */
export interface History {
	/** When the person was contacted, in milliseconds since the epoch, newest first. */
	readonly contacts: readonly number[];
	/** True if the person must not be contacted, whatever the list of the item says. */
	readonly isOptedOut?: boolean;
}

/** The rules of contact of the items of a run. */
export class Rules {
	private readonly plans: readonly (ItemPlan | undefined)[];

	private readonly isOutside = createHoursRule();

	/**
	 * @param planned the items by place
	 * @param timezone the workflow's, for items without one of their own
	 */
	constructor(
		planned: readonly Planned[],
		private readonly timezone: string,
	) {
		this.plans = plansOf(planned);
	}

	/**
	 * What holds an item back; `undefined` if nothing does. Whom not to contact comes first, then the earlier contacts, then
	 * the hours.
	 */
	holdBack(index: number, { contacts, isOptedOut = false }: History): HeldBack | undefined {
		const contact = this.plans[index]?.contact;
		if (contact === undefined) return undefined;
		const { rules, toNumber } = contact;
		if (isOptedOut || isListed(rules.doNotContact, toNumber))
			return { reason: 'doNotContact', notBefore: null };
		return (
			holdContacted(contacts, rules, Date.now(), this.timezoneOf(contact)) ??
			this.holdOutside(index)
		);
	}

	/** What holds an item back at this moment, although it was admitted before. */
	holdOutside(index: number): HeldBack | undefined {
		const contact = this.plans[index]?.contact;
		if (contact === undefined || contact.rules.allowedHours.length === 0) return undefined;
		const timezones = zonesFromNumber(contact);
		const heldBack = this.isOutside(
			contact.rules.allowedHours,
			timezones ?? [this.timezoneOf(contact)],
			Date.now(),
		);
		return heldBack && { ...heldBack, ...(timezones && { timezones }) };
	}

	private timezoneOf({ rules }: Contact): string {
		return rules.timezone ?? this.timezone;
	}
}
