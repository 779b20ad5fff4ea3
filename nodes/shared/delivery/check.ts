import type { Admission } from './admission';
import { failed, type RunResult } from './memory/entry';
import { isFailure, type Planned } from './planned';

/** What would become of the items, for a credential that only checks: nothing is sent, and nobody counts as contacted. */
export const checkItems = (planned: readonly Planned[], admission: Admission): RunResult[] =>
	planned.map((plan, index) => {
		if (isFailure(plan)) return failed(plan);
		const heldBack = admission.holdBack(index);
		return heldBack ? { heldBack } : { checked: plan.main };
	});
