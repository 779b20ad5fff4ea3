import type { BookRow, RowValues } from './columns';
import type { OptOuts } from './optOuts';
import { toBookProblem } from './problem';
import { Entry, type BookAnswer, type BookQuestion } from './question';
import { rowsWith, type TableApi } from './tableApi';
import { CLAIM_AGES, viewOf } from './view';

/**
 * Answers questions and makes claims.
 *
 * A claim is exact over all processes: its row is written before those of the others are read, and only who sees no other
 * is granted it (see `judge` in `view.ts`). No row is written for whom the rules do not allow, nor while others are about to
 * contact the number.
 *
 * @param now in milliseconds since the epoch: when the claims are made. The same if it is done again after a failure, so
 * that rows are found again of which n8n's answer was lost
 * @param isAgain true after a failure: n8n may do late what it was asked before, so no row of then becomes a claim
 * @returns the answers in the order of the questions
 * @throws BookProblem. No claim of these stands then, as far as n8n could be reached
 */
export async function answerAll(
	table: TableApi,
	optOuts: OptOuts,
	questions: readonly BookQuestion[],
	now: number,
	isAgain = false,
): Promise<BookAnswer[]> {
	const entries = questions.map((question) => new Entry(question));
	const [rows] = await Promise.all([rowsOf(table, entries), optOuts.refresh(table)]);
	const look = (entry: Entry, found: Rows): void => {
		const { phone } = entry.question;
		const own = new Set([...entry.left, ...idsOf([entry])]);
		const ofPhone = found.get(phone) ?? [];
		const view = viewOf(ofPhone, { ...entry.question, own, now });
		const { problem } = optOuts;
		// The list is told apart by times, which the clocks of several processes of n8n give.
		const isOptedOut = optOuts.has(phone) || ofPhone.some(({ doNotContact }) => doNotContact);
		entry.look = { ...view, isOptedOut, ...(problem !== undefined && { problem }) };
	};
	findOwn(entries, rows, now);
	if (isAgain) await leaveRows(table, entries, rows, now);
	for (const entry of entries) look(entry, rows);

	const claiming = entries.filter(
		({ isStanding, claimedAt, isAllowed, rivals }) =>
			isAllowed && rivals.length === 0 && (!isStanding || now - claimedAt > CLAIM_AGES),
	);
	try {
		await claimRows(table, claiming, now);
		const exclusive = claiming.filter(({ isExclusive }) => isExclusive);
		const claimed = new Map(exclusive.map((entry) => [entry, idsOf([entry])]));
		const again = await rowsOf(table, exclusive);
		findOwn(exclusive, again, now);
		for (const entry of exclusive) {
			look(entry, again);
			entry.isGone = entry.row === undefined;
		}
		// Somebody has taken them away, or a cache before n8n does not show them.
		const gone = exclusive.filter(({ isGone }) => isGone);
		await setOutcome(
			table,
			gone.flatMap((entry) => claimed.get(entry) ?? []),
			{ outcome: 'notMade' },
		);
		await withdraw(
			table,
			entries.filter(({ isStanding, isLost }) => isStanding && isLost),
		);
	} catch (error) {
		await giveUp(table, claiming, now);
		throw toBookProblem(error);
	}
	return entries.map(({ answer }) => answer);
}

/** The rows of each number. */
type Rows = ReadonlyMap<string, readonly BookRow[]>;

async function rowsOf(table: TableApi, entries: readonly Entry[]): Promise<Rows> {
	const rows = new Map(entries.map(({ question }) => [question.phone, new Array<BookRow>()]));
	if (rows.size === 0) return rows;
	for (const row of await table.rows(rowsWith('phone', [...rows.keys()])))
		rows.get(row.phone ?? '')?.push(row);
	return rows;
}

/**
 * Finds the rows of the items themselves. What the table says counts: people edit it, and of what was written, n8n's answer
 * may have been lost.
 */
function findOwn(entries: readonly Entry[], rows: Rows, now: number): void {
	const taken = new Set(idsOf(entries));
	for (const entry of entries) {
		const isOwn = (row: BookRow): boolean =>
			entry.row === undefined
				? isUnanswered(row, entry, now) && !taken.has(row.id)
				: row.id === entry.row;
		const own = rows.get(entry.question.phone)?.find(isOwn);
		if (own && entry.row === undefined) entry.claimedAt = now;
		if (own) taken.add(own.id);
		entry.row = own?.id;
		entry.isStanding = own?.outcome === 'claimed';
	}
}

/** True for a row that a claim at this time has added. */
const isUnanswered = (row: BookRow, { question: { claim } }: Entry, now: number): boolean =>
	row.contactedAt === now &&
	row.outcome === 'claimed' &&
	claim !== undefined &&
	(row.execution ?? '') === (claim.values.execution ?? '');

/** Gives up the rows of before a failure: if n8n withdraws one of them late, that is no claim any more. */
async function leaveRows(
	table: TableApi,
	entries: readonly Entry[],
	rows: Rows,
	now: number,
): Promise<void> {
	const standing: number[] = [];
	for (const entry of entries) {
		const ofPhone = rows.get(entry.question.phone) ?? [];
		const unanswered = ofPhone.filter((row) => isUnanswered(row, entry, now)).map(({ id }) => id);
		entry.left = [...idsOf([entry]), ...unanswered];
		standing.push(...(entry.isStanding ? entry.left : unanswered));
		entry.row = undefined;
		entry.isStanding = false;
	}
	await setOutcome(table, standing, { outcome: 'notMade' });
}

/** Makes the claims: each gets a row, or its earlier one again. */
async function claimRows(table: TableApi, entries: readonly Entry[], now: number): Promise<void> {
	const claimed = { outcome: 'claimed', contactedAt: new Date(now).toISOString() } as const;
	const added = entries.filter(({ row }) => row === undefined);
	await setOutcome(table, idsOf(entries), claimed);
	const rows = added.map(({ question }) => ({ ...question.claim?.values, ...claimed }));
	const made = rows.length > 0 ? await table.insert(rows) : [];
	for (const [place, entry] of added.entries()) entry.row = made[place];
	for (const entry of entries) {
		entry.isStanding = true;
		entry.claimedAt = now;
	}
}

const idsOf = (entries: readonly Entry[]): number[] => entries.flatMap(({ row = [] }) => row);

/** Gives up claims: their rows hold nobody back. */
async function withdraw(table: TableApi, entries: readonly Entry[]): Promise<void> {
	await setOutcome(table, idsOf(entries), { outcome: 'notMade' });
	for (const entry of entries) entry.isStanding = false;
}

/** Gives up claims after a failure, also those whose rows may have been added, as far as n8n can be reached. */
async function giveUp(table: TableApi, entries: readonly Entry[], now: number): Promise<void> {
	await withdraw(table, entries).catch(() => undefined);
	const unanswered = entries.filter(({ row }) => row === undefined);
	try {
		findOwn(unanswered, await rowsOf(table, unanswered), now);
		await withdraw(table, unanswered);
	} catch {
		// They are found again at the next try. If it was the last one, they count as contacts.
	}
}

async function setOutcome(
	table: TableApi,
	ids: readonly number[],
	values: RowValues,
): Promise<void> {
	if (ids.length > 0) await table.update(rowsWith('id', ids), values);
}
