import { mayHaveBeenSent, type RunResult } from '../delivery/result';
import { bareNumber } from '../outreach/doNotContact';
import type { Planned } from '../request/planned';

/**
 * Which rows reached, or would reach, a number that an earlier row reaches, in a sentence; nothing if none.
 *
 * @param planned the items by index, with what became of each
 */
export function describeRepeats(
	planned: readonly Planned[],
	results: readonly RunResult[],
): string {
	const first = new Map<string, number>();
	const repeats: string[] = [];
	const isChecked = results.some((result) => 'checked' in result);
	for (const [index, { contact }] of planned.entries()) {
		const result = results[index];
		if (contact === undefined || result === undefined) continue;
		if (!('checked' in result || mayHaveBeenSent(result))) continue;
		const number = bareNumber(contact.toNumber);
		const earlier = first.get(number);
		if (earlier === undefined) first.set(number, index);
		else repeats.push(`${contact.toNumber} (rows ${earlier + 1} and ${index + 1})`);
	}
	const [example] = repeats;
	if (example === undefined) return '';
	const rows = repeats.length === 1 ? '1 row has' : `${repeats.length} rows have`;
	const isHeldBack =
		isChecked && planned.some(({ contact }) => (contact?.rules.notAgainWithin ?? 0) > 0);
	const sent = isChecked ? '; in live mode each row is sent' : ': each row was sent';
	const end = isHeldBack
		? 'holds it back in live mode, unless the earlier row fails'
		: 'prevents that';
	return `${rows} the number of an earlier row, e.g. ${example}${isHeldBack ? '' : sent}. "Not Again Within" ${end}.`;
}
