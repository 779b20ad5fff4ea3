import type { Planned } from '../../../../nodes/shared/request/planned';
import type { ItemPlan } from '../../../../nodes/shared/request/request';
import { plan } from '../results';
import type { Store } from './keptMarks';
import { openOver, resultOf, type RunOptions } from './openOver';

export const plans = (count: number, of: ItemPlan = plan): ItemPlan[] =>
	Array<ItemPlan>(count).fill(of);

/** The first run of an execution, in which n8n dies when it comes to an item. */
export async function dieAt(
	store: Store,
	index: number,
	planned: Planned[],
	options: RunOptions = {},
): Promise<void> {
	const { ledger } = openOver(store, planned, options);
	for (let place = 0; place <= index; place++) await ledger.prepare(place);
}

/** Which of the items a run may send that goes through all of them. */
export async function sendable(
	store: Store,
	planned: Planned[],
	options: RunOptions = { isRetry: true },
): Promise<boolean[]> {
	const { ledger } = openOver(store, planned, options);
	const all: boolean[] = [];
	for (const index of planned.keys()) all.push((await resultOf(ledger, index)) === undefined);
	return all;
}
