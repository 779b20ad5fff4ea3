import { COLUMN_NAMES, type BookRow, type RowValues } from './columns';
import { restoreLost, type LostOptOuts } from './optOuts';
import { withRetries, toBookProblem, type BookProblem } from './bookProblem';
import { rowsWith, type TableApi } from './tableApi';

/** What became of a claimed contact. */
export interface Settlement {
	readonly claim: string;
	readonly values: RowValues;
}

/** So many contacts are settled one by one. */
const FEW = 3;

/**
 * Writes what became of contacts. The columns that it does not name stay as they are.
 *
 * @returns for each the problem if that failed three times; throws that of all
 */
export async function settleAll(
	table: TableApi,
	lostOptOuts: LostOptOuts,
	settlements: readonly Settlement[],
): Promise<{ readonly problem?: BookProblem }[]> {
	const isLong = settlements.length > FEW;
	const left = isLong
		? await withRetries(() => replaceRows(table, lostOptOuts, settlements))
		: settlements;
	const problems = new Map<Settlement, BookProblem>();
	for (const settlement of left) {
		const { claim, values } = settlement;
		const updated = withRetries(() => table.update(rowsWith('claim', [claim]), values));
		await updated.catch((error: unknown) => problems.set(settlement, toBookProblem(error)));
	}
	return settlements.map((settlement) => ({ problem: problems.get(settlement) }));
}

/**
 * Settles contacts by adding their rows anew, then removes the claimed ones: n8n adds different
 * rows by one request, and changes each by one of its own. If n8n dies in between, a contact has
 * two rows with the same `claim`, of which the settled one counts. Can be done again.
 *
 * @returns those that are still to be settled: somebody has edited their rows
 */
async function replaceRows(
	table: TableApi,
	lostOptOuts: LostOptOuts,
	settlements: readonly Settlement[],
): Promise<Settlement[]> {
	const claims = settlements.map(({ claim }) => claim);
	const rows = await table.rows(rowsWith('claim', claims));
	const rowsToAdd: RowValues[] = [];
	const openIds: number[] = [];
	const unsettled = settlements.filter(({ claim, values }) => {
		const rowsOfClaim = rows.filter((row) => row.claim === claim);
		const open = rowsOfClaim.filter(({ outcome }) => outcome === 'claimed');
		const [first] = open;
		if (first === undefined || !open.every(isAsAdded)) return true;
		// Otherwise, n8n's answer was lost when it was added before.
		if (rowsOfClaim.every(({ outcome }) => outcome !== values.outcome))
			rowsToAdd.push({ ...valuesOf(first), ...values });
		openIds.push(...open.map(({ id }) => id));
		return false;
	});
	if (rowsToAdd.length > 0) await table.insert(rowsToAdd);
	if (openIds.length === 0) return unsettled;
	// A claim that is left over is harmless.
	const removed = await withRetries(() => table.remove(rowsWith('id', openIds))).catch(() => []);
	for (const { phone, reference, doNotContact } of removed)
		if (doNotContact) lostOptOuts.add({ phone, reference, doNotContact });
	await withRetries(() => restoreLost(table, lostOptOuts)).catch(() => undefined);
	return unsettled;
}

/** True for a row that nobody has changed since it was added. */
const isAsAdded = ({ createdAt, updatedAt, doNotContact }: BookRow): boolean =>
	Date.parse(updatedAt) === createdAt && !doNotContact;

/** What the row of a claim holds, as it is written. What is empty stays so, also doNotContact. */
function valuesOf(row: BookRow): RowValues {
	const values = COLUMN_NAMES.map((name) => {
		const value = row[name];
		if (typeof value !== 'number') return [name, value === false ? null : value] as const;
		return [name, Number.isNaN(value) ? null : new Date(value).toISOString()] as const;
	});
	return Object.fromEntries(values);
}
