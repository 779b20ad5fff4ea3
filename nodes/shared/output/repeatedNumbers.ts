import { mayHaveBeenSent, type RunResult } from '../delivery/result';
import { notAgainWithin, type Planned } from '../request/planned';

/** A row with the number of an earlier row. */
interface Repeat {
	readonly name: string;
	/** True if the rules of both hold it back in live mode. */
	readonly isHeldBack: boolean;
}

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
	const repeats: Repeat[] = [];
	const isChecked = results.some((result) => 'checked' in result);
	const hasRule = (index: number): boolean => notAgainWithin(planned[index]) > 0;
	for (const [index, { contact }] of planned.entries()) {
		const result = results[index];
		if (contact === undefined || result === undefined) continue;
		if (!('checked' in result || mayHaveBeenSent(result))) continue;
		const { toNumber } = contact;
		const earlier = first.get(toNumber);
		if (earlier === undefined) first.set(toNumber, index);
		else
			repeats.push({
				name: `${toNumber} (rows ${earlier + 1} and ${index + 1})`,
				isHeldBack: isChecked && hasRule(earlier) && hasRule(index),
			});
	}
	const sent = repeats.filter(({ isHeldBack }) => !isHeldBack);
	const said = sent.length > 0 ? sent : repeats;
	const [example] = said;
	if (example === undefined) return '';
	const isOne = said.length === 1;
	const has = isOne ? 'has' : 'have';
	const wasSentTo = isOne ? 'was sent to' : 'were sent to';
	const rows = isOne ? '1 row' : `${said.length} rows`;
	const repeated = `${rows} ${isChecked ? has : wasSentTo} the number of an earlier row, e.g. ${example.name}`;
	if (example.isHeldBack)
		return `${repeated}. "Not Again Within" holds it back in live mode, unless the earlier row fails.`;
	const each = isChecked ? '; in live mode each row is sent, unless a rule holds it back' : '';
	return `${repeated}${each}. "Not Again Within" prevents that.`;
}
