import { tellFault } from '../answer/valueFault';
import { readListed } from '../declaration/phoneNumber';
import { isListed, toNumbers } from '../rules/doNotContact';
import { isBlank, toPlainText } from '../values';
import type { RowValues } from './columns';
import { rowsWith, type TableApi } from './tableApi';

const OPTED_OUT = rowsWith('doNotContact', [true]);

/** Opt-outs that came into rows of a table while these were settled, and went with them. */
export type LostOptOuts = Set<RowValues>;

/** Adds rows for opt-outs that were lost. @throws BookProblem */
export async function restoreLost(table: TableApi, lost: LostOptOuts): Promise<void> {
	const rows = [...lost];
	if (rows.length > 0) await table.insert(rows);
	for (const row of rows) lost.delete(row);
}

/**
 * The numbers of the rows with `doNotContact`, in any notation.
 *
 * They are read as a whole once, and again after a change, which one small question tells: an added
 * or edited row has the newest `updatedAt`, one that is gone or no longer set makes them fewer.
 */
export class OptOuts {
	private numbers = toNumbers([]);

	/** When each row was changed last, by its ID. */
	private changes: ReadonlyMap<number, string> | undefined;

	private newest = '';

	/** What is wrong with the first number that cannot be read; nobody may be contacted then. */
	problem: string | undefined;

	constructor(private readonly lost: LostOptOuts = new Set()) {}

	/** Adds rows for what was lost, and brings the list up to date. @throws BookProblem */
	async refresh(table: TableApi): Promise<void> {
		await restoreLost(table, this.lost);
		if (await this.isUnchanged(table)) return;
		const rows = await table.rows(OPTED_OUT);
		this.changes = new Map(rows.map(({ id, updatedAt }) => [id, updatedAt]));
		this.newest = rows.reduce((time, { updatedAt }) => (updatedAt > time ? updatedAt : time), '');
		this.problem = undefined;
		const listed: string[] = [];
		for (const { id, phone } of rows) {
			const read = readListed(phone);
			if (read.kind === 'read') listed.push(read.value);
			// A row without a number names nobody.
			else if (!isBlank(phone))
				this.problem ??= tellFault({ ...read, name: `row ${id} (in the column id)` });
		}
		this.numbers = toNumbers(listed);
	}

	/** Says whether a number with `+` has opted out, or each that ends like one without. */
	has(phone: string): boolean {
		return isListed(this.numbers, phone);
	}

	private async isUnchanged(table: TableApi): Promise<boolean> {
		if (this.changes === undefined) return false;
		const count = this.changes.size;
		const skip = Math.max(0, count - 1);
		const lastRows = await table.some(OPTED_OUT, 'updatedAt:asc', skip, 2);
		if (lastRows.length !== Math.min(count, 1)) return false;
		return lastRows.every(
			({ id, updatedAt }) => updatedAt === this.newest && this.changes?.get(id) === updatedAt,
		);
	}
}

/** Adds an opt-out, as `readListed` reads it, unless a row holds it back. @throws BookProblem */
export async function addOptOut(table: TableApi, row: RowValues): Promise<void> {
	const optOuts = new OptOuts();
	await optOuts.refresh(table);
	if (!optOuts.has(toPlainText(row.phone))) await table.insert([{ ...row, doNotContact: true }]);
}
