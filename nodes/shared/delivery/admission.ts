import { ADVICE } from '../answer/agentAdvice';
import { createFailure, type Failure } from '../answer/failure';
import { isListed } from '../outreach/doNotContact';
import { createHoursRule, holdRecent, type HeldBack } from '../outreach/heldBack';
import type { Contact, ItemPlan } from '../request/request';
import type { ContactMemory } from './memory/contactMemory';
import { failed, type RunResult } from './memory/entry';

export interface AdmissionOptions {
	/** The workflow's, for items without one of their own. */
	readonly timezone: string;
	readonly contactMemory: ContactMemory;
	/** True for an item that an earlier try of this execution may have sent: that try is no contact. */
	readonly isOwn: (index: number) => boolean;
}

/**
 * Decides by the rules of contact whether an item may be sent now. The list of whom not to contact comes first, then the
 * memory of contacts, then the hours.
 */
export class Admission {
	private readonly isOutside = createHoursRule();

	private claimedUpTo = 0;

	/** @param plans the items by place, with `undefined` for those that are not to be sent */
	constructor(
		private readonly plans: readonly (ItemPlan | undefined)[],
		private readonly options: AdmissionOptions,
	) {}

	/** What holds an item back, as far as this process knows; `undefined` if nothing does. */
	holdBack(index: number): HeldBack | undefined {
		const contact = this.plans[index]?.contact;
		if (contact === undefined) return undefined;
		if (isListed(contact.rules.doNotContact, contact.toNumber)) {
			return { reason: 'doNotContact', notBefore: null };
		}
		return this.holdRecent(index, contact) ?? this.holdOutside(index);
	}

	/** What holds an item back at this moment although it was admitted before. */
	holdOutside(index: number): HeldBack | undefined {
		const contact = this.plans[index]?.contact;
		if (contact === undefined || contact.rules.allowedHours.length === 0) return undefined;
		return this.isOutside(contact.rules.allowedHours, this.timezoneOf(contact), Date.now());
	}

	/** True if the item has to wait for another one, which is about to contact the same person. */
	isPending(index: number): boolean {
		return this.remembers(index) && this.options.contactMemory.isPending(index);
	}

	/** True if the recipient of an item has to be claimed before the item is sent, and is not yet. */
	needsClaim(index: number): boolean {
		return this.remembers(index) && !this.options.contactMemory.has(index);
	}

	/**
	 * Claims the recipient of an item that nothing holds back, and with it those of some that follow. Says why the item may
	 * not be sent all the same: its recipient was contacted before this process began, the memory of contacts fails, or
	 * (`pending`) another item is about to contact the same person.
	 */
	async claim(index: number): Promise<RunResult | 'pending' | undefined> {
		const { contactMemory, isOwn } = this.options;
		while (this.needsClaim(index)) {
			if (contactMemory.isPending(index)) return 'pending';
			const stretch = this.nextStretch(index, await contactMemory.stretch());
			const isClaimed = await contactMemory.claim(stretch, isOwn);
			if (!isClaimed) return failed(memoryFailed());
			const heldBack = this.holdBack(index);
			if (heldBack) return { heldBack };
		}
		return undefined;
	}

	/** The item and those after it that would be claimed next. */
	private nextStretch(index: number, size: number): number[] {
		const from = Math.max(index + 1, this.claimedUpTo);
		this.claimedUpTo = Math.max(this.claimedUpTo, index + size);
		const stretch = [index];
		for (let next = from; next < Math.min(this.claimedUpTo, this.plans.length); next++) {
			const isFree = this.remembers(next) && !this.options.isOwn(next);
			if (isFree && this.holdBack(next) === undefined) stretch.push(next);
		}
		return stretch;
	}

	private remembers(index: number): boolean {
		return (this.plans[index]?.contact?.rules.notAgainWithin ?? 0) > 0;
	}

	private holdRecent(index: number, contact: Contact): HeldBack | undefined {
		const { contactMemory, isOwn } = this.options;
		if (!this.remembers(index) || isOwn(index)) return undefined;
		const at = contactMemory.lastContact(index);
		return holdRecent(at, contact.rules.notAgainWithin, Date.now(), this.timezoneOf(contact));
	}

	private timezoneOf({ rules }: Contact): string {
		return rules.timezone ?? this.options.timezone;
	}
}

const memoryFailed = (): Failure =>
	createFailure({
		kind: 'stopped',
		outcome: 'notSent',
		message: 'Not sent, because n8n could not look up whom this node has contacted',
		hint: "Check n8n's database, then retry this execution.",
		advice: ADVICE.stopped,
	});
