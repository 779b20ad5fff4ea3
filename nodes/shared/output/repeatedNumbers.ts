import { mayHaveBeenSent, type Outcome } from '../delivery/outcome';
import { phoneOf, type Item } from '../items/item';

/** Says in a sentence which rows reached, or would reach, an earlier row's number; else nothing. */
export function describeRepeats(items: readonly Item[], outcomes: readonly Outcome[]): string {
	const first = new Map<string, number>();
	const repeats: string[] = [];
	for (const [index, outcome] of outcomes.entries()) {
		const item = items[index];
		const phone = item === undefined ? '' : phoneOf(item);
		if (phone === '' || !(outcome.kind === 'checked' || mayHaveBeenSent(outcome))) continue;
		const earlier = first.get(phone);
		if (earlier === undefined) first.set(phone, index);
		else repeats.push(`${phone} (rows ${earlier + 1} and ${index + 1})`);
	}
	if (repeats.length === 0) return '';
	const [rows, have] = repeats.length === 1 ? ['row', 'has'] : ['rows', 'have'];
	return `${repeats.length} ${rows} ${have} the number of an earlier row, e.g. ${repeats[0] ?? ''}. Add "Not Again Within" to hold back the later one.`;
}
