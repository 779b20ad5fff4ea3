import type { RunResult } from '../delivery/result';
import type { Planned } from '../request/planned';
import { listRows } from '../values';

/**
 * Which rows were checked whose number has no `+`, in two sentences; nothing if none. A spreadsheet drops the leading zero of a
 * national number, and what is left reads as the number of somebody in another country.
 *
 * @param planned the items by index, with what became of each
 */
export function describeWithoutPlus(
	planned: readonly Planned[],
	results: readonly RunResult[],
): string {
	const rows = [...planned.entries()].flatMap(([index, { contact }]) => {
		const result = results[index];
		const isChecked = result !== undefined && 'checked' in result;
		return isChecked && contact && !contact.toNumber.startsWith('+') ? [index + 1] : [];
	});
	if (rows.length === 0) return '';
	const have =
		rows.length === 1
			? `The number of row ${rows.join()} has`
			: `The numbers of ${rows.length} rows (${listRows(rows)}) have`;
	return `${have} no "+": the first digits are taken for the country code. Check that these are not national numbers that have lost their leading zero.`;
}
