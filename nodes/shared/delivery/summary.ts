import type { ItemResult } from './memory/entry';

/**
 * Says in one sentence what became of the items of a run that stopped; nothing for a single item, of
 * which the error itself says all.
 */
export function summarize(results: readonly ItemResult[]): string {
	if (results.length < 2) return '';
	const count = { accepted: 0, refused: 0, unknown: 0, notSent: 0 };
	for (const result of results) count[result.accepted ? 'accepted' : result.failure.outcome]++;
	return `Of ${results.length} items ${count.accepted} were accepted, ${count.refused} refused, ${count.unknown} unknown and ${count.notSent} not sent. To continue, retry this execution: a new one would send the accepted items again.`;
}
