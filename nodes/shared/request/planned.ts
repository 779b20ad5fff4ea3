import type { Failure } from '../answer/failure';
import type { ItemPlan, KnownItem } from './request';

/** An item that is not sent, and why. */
export interface Refused extends KnownItem {
	readonly failure: Failure;
}

/** An item that is to be sent, or why it cannot be. */
export type Planned = ItemPlan | Refused;

export const isRefused = (planned: Planned): planned is Refused => 'failure' in planned;

/** The items by place, with `undefined` for those that are not to be sent. */
export const plansOf = (planned: readonly Planned[]): (ItemPlan | undefined)[] =>
	planned.map((one) => (isRefused(one) ? undefined : one));
