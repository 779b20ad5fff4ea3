import { mayHaveBeenSent, type RunResult } from '../delivery/result';
import type { Planned } from '../request/planned';
import { listRows } from '../values';

/**
 * Which rows were checked whose number has no `+`, or sent if others have one; in two sentences, nothing if none. A
 * spreadsheet drops the leading zero of a national number, and what is left reads as that of somebody in another country.
 *
 * @param planned the items by index, with what became of each
 */
export function describeWithoutPlus(
	planned: readonly Planned[],
	results: readonly RunResult[],
): string {
	const hasPlus = ({ contact }: Planned): boolean => contact?.toNumber.startsWith('+') === true;
	const isOfBothKinds = planned.some(hasPlus);
	const rows = [...results.entries()].flatMap(([index, result]) => {
		const item = planned[index];
		const isMeant = 'checked' in result || (isOfBothKinds && mayHaveBeenSent(result));
		return item?.contact && isMeant && !hasPlus(item) ? [index + 1] : [];
	});
	if (rows.length === 0) return '';
	const have =
		rows.length === 1
			? `The number of row ${rows.join()} has`
			: `The numbers of ${rows.length} rows (${listRows(rows)}) have`;
	return `${have} no "+": the first digits are taken for the country code. Check that these are not national numbers that have lost their leading zero.`;
}
