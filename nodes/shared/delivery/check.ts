import type { HeldBack } from '../outreach/heldBack';
import type { Admission } from './admission';
import { failed, type ItemResult, type RunResult } from './memory/entry';
import { isRefused, type Planned } from '../request/planned';

/**
 * What would become of the items, for a credential that only checks: nothing is sent, and nobody counts as contacted. An
 * item that is refused keeps what an earlier try of the execution has reached.
 *
 * @param recall what is known of an item from an earlier try
 * @param onProgress called for each item, with what is known so far
 */
export function checkItems(
	planned: readonly Planned[],
	admission: Admission,
	recall: (index: number) => ItemResult | undefined,
	onProgress: (results: readonly RunResult[]) => void,
): RunResult[] {
	const results: RunResult[] = [];
	for (const [index, plan] of planned.entries()) {
		const known = isRefused(plan) ? recall(index) : undefined;
		results.push(known ?? checkItem(plan, admission.holdBack(index)));
		onProgress(results);
	}
	return results;
}

function checkItem(plan: Planned, heldBack: HeldBack | undefined): RunResult {
	if (isRefused(plan)) return failed(plan.failure);
	return heldBack ? { heldBack } : { checked: plan.main };
}
