import type { Failure } from '../answer/failure';
import { toPlainText } from '../values';
import type { ItemPlan, KnownItem } from './request';

/** An item that the node does not send, and why. (`refused` is the outcome of an item to which the service said no.) */
export interface Unsendable extends KnownItem {
	readonly failure: Failure;
	/** True if it is refused with all items of the run, e.g. by a rule without an expression, and could be sent otherwise. */
	readonly isRefusedWithRun?: boolean;
}

/** An item that was read and checked: what is to be sent, or why nothing is. */
export type Planned = ItemPlan | Unsendable;

export const isUnsendable = (planned: Planned): planned is Unsendable => 'failure' in planned;

/** The items of a run that sends nothing, for a reason of its own. */
export const refuseAll = (planned: readonly Planned[], failure: Failure): readonly Planned[] =>
	planned.map((one) => (isUnsendable(one) ? one : { ...one, failure, isRefusedWithRun: true }));

/** What is known of an item that is sent now, or that an earlier try has sent. */
export type SentItem = KnownItem & Partial<Pick<ItemPlan, 'options'>>;

/**
 * The item as an earlier try has sent it. An item that cannot be sent now may have been edited since, so its properties
 * are empty. Its number stays, or is empty if it cannot be read now.
 */
export function asSent(item: Planned): SentItem {
	if (!isUnsendable(item)) return item;
	const { contact, subject } = item;
	const isUnreadable = contact !== undefined && subject === undefined;
	return {
		...item,
		properties: {},
		...(isUnreadable && { contact: { ...contact, toNumber: '' } }),
	};
}

/** What is to be sent for each item, by index; `undefined` for an item that is not sent. */
export const plansOf = (planned: readonly Planned[]): (ItemPlan | undefined)[] =>
	planned.map((one) => (isUnsendable(one) ? undefined : one));

/** *Not Again Within* of an item, in hours; 0 if it has none. */
export const notAgainWithin = (item: Pick<KnownItem, 'contact'> | undefined): number =>
	item?.contact?.rules.notAgainWithin ?? 0;

/**
 * The items before each that write for the same recipient (rule 9), by index: the last one with the same number; in a chat
 * with the same conversation and with the same user; with the same assistant.
 */
export function predecessorsOf(planned: readonly Planned[]): (readonly number[])[] {
	const last = new Map<string, number>();
	return planned.map((item, index) => {
		const recipients = isUnsendable(item) ? [] : recipientsOf(item);
		const before = recipients.flatMap((recipient) => last.get(recipient) ?? []);
		for (const recipient of recipients) last.set(recipient, index);
		return before;
	});
}

function recipientsOf({ operation, subject, properties }: ItemPlan): string[] {
	if (operation.recipient !== undefined) return subject === undefined ? [] : [subject];
	return operation.writesFor.flatMap((name) =>
		properties[name] === undefined ? [] : `${name} ${toPlainText(properties[name]).toLowerCase()}`,
	);
}
