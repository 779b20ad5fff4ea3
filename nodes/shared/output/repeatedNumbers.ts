import type { RunResult } from '../delivery/result';
import { bareNumber } from '../outreach/doNotContact';
import type { Planned } from '../request/planned';

/**
 * Which rows would reach a number that an earlier row reaches, in a sentence; nothing if none would.
 *
 * @param planned the items by index, with what became of each in a run that only checks
 */
export function describeRepeats(
	planned: readonly Planned[],
	results: readonly RunResult[],
): string {
	const first = new Map<string, number>();
	const repeats: string[] = [];
	for (const [index, { contact }] of planned.entries()) {
		const result = results[index];
		if (contact === undefined || result === undefined || !('checked' in result)) continue;
		const number = bareNumber(contact.toNumber);
		const earlier = first.get(number);
		if (earlier === undefined) first.set(number, index);
		else repeats.push(`${contact.toNumber} (rows ${earlier + 1} and ${index + 1})`);
	}
	const [example] = repeats;
	if (example === undefined) return '';
	const rows = repeats.length === 1 ? '1 row has' : `${repeats.length} rows have`;
	const isHeldBack = planned.some(({ contact }) => (contact?.rules.notAgainWithin ?? 0) > 0);
	const end = isHeldBack
		? 'holds it back in live mode, unless the earlier row fails'
		: 'prevents that';
	return `${rows} the number of an earlier row, e.g. ${example}${isHeldBack ? '' : '; in live mode each row is sent'}. "Not Again Within" ${end}.`;
}
