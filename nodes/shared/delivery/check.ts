import type { Planned } from '../request/planned';
import type { Ledger } from './ledger/ledger';
import type { RunResult } from './result';

/**
 * What would become of the items, for a credential that only checks: nothing is sent, and nobody counts as contacted.
 *
 * @param onProgress called for each item, with what is known so far
 */
export async function checkItems(
	planned: readonly Planned[],
	ledger: Pick<Ledger, 'look' | 'check'>,
	onProgress: (results: readonly RunResult[]) => void,
): Promise<RunResult[]> {
	await ledger.look();
	const results: RunResult[] = [];
	for (const [index, item] of planned.entries()) {
		results.push(ledger.check(index, item));
		onProgress(results);
	}
	return results;
}
