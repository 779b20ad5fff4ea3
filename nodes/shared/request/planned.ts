import type { Failure } from '../answer/failure';
import type { ItemPlan, KnownItem } from './request';

/** An item that is not sent, and why. */
export interface Refused extends KnownItem {
	readonly failure: Failure;
}

/** An item that is to be sent, or why it cannot be. */
export type Planned = ItemPlan | Refused;

export const isRefused = (planned: Planned): planned is Refused => 'failure' in planned;

/**
 * What an earlier try has sent for an item, as far as it is certain: of one that is refused now, the values may have been
 * edited since, so there are none. Its number is the one that was reached, or empty if it cannot be read any more.
 */
export function asSent(planned: Planned): KnownItem {
	if (!isRefused(planned)) return planned;
	const { contact, keys } = planned;
	const isUnreadable = contact !== undefined && keys.recipientHash === undefined;
	return {
		...planned,
		properties: {},
		...(isUnreadable && { contact: { ...contact, toNumber: '' } }),
	};
}

/** The items by place, with `undefined` for those that are not to be sent. */
export const plansOf = (planned: readonly Planned[]): (ItemPlan | undefined)[] =>
	planned.map((one) => (isRefused(one) ? undefined : one));
