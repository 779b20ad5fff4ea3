import type { Failure } from '../answer/failure';
import type { ItemPlan } from '../request/request';

/** An item that is to be sent, or why it cannot be. */
export type Planned = ItemPlan | Failure;

export const isFailure = (planned: Planned): planned is Failure => 'kind' in planned;

/** The items by place, with `undefined` for those that are not to be sent. */
export const plansOf = (planned: readonly Planned[]): (ItemPlan | undefined)[] =>
	planned.map((one) => (isFailure(one) ? undefined : one));
