import { comparable, type PastContact } from '../rules/lists';
import type { BookOfPerson } from '../rules/rules';
import { toPlainText } from '../values';
import type { BookRow, RowOutcome } from './columns';

/** A contact of a number, from the rows with the same `claim`. */
export interface Contact extends PastContact {
	/** The first part of `claim`, before the last dot; empty if there is none. */
	readonly item: string;
	readonly contactId: string | null;
	/** The ID of the execution that made it. */
	readonly execution: string;
}

/** What the rows of a number say. */
export interface Seen extends BookOfPerson {
	/** Of the mode, newest first. Rows with an empty outcome are none. */
	readonly contacts: readonly Contact[];
	/** Why nobody may be contacted: a row with `doNotContact` cannot be read. */
	readonly problem?: string;
}

/** Of rows with the same `claim`, the last one of these counts. */
const OUTCOMES: readonly RowOutcome[] = ['claimed', 'notMade', 'unknown', 'accepted'];

/**
 * Reads the contacts of a mode from the rows of a number, newest first. Rows with one `claim` are
 * one contact: n8n added it twice, or a further row settled it. Modes but `redirect` are `live`.
 */
export function contactsIn(rows: readonly BookRow[], mode: string, now: number): Contact[] {
	const counted = new Map<string | number, { row: BookRow; outcome: RowOutcome }>();
	for (const row of rows) {
		const outcome = rowOutcome(row);
		if (outcome === undefined || isRedirected(row.mode) !== isRedirected(mode)) continue;
		const name = toPlainText(row.claim) || row.id;
		const earlier = counted.get(name) ?? { row, outcome };
		const isLast = OUTCOMES.indexOf(outcome) >= OUTCOMES.indexOf(earlier.outcome);
		const [last, twin] = isLast ? [{ row, outcome }, earlier.row] : [earlier, row];
		// That a call reached the person, or is to be made again, holds whichever row says it.
		const reached = reachedBy(twin) === true ? 'yes' : last.row.reached;
		const callBackAt = Number.isNaN(last.row.callBackAt) ? twin.callBackAt : last.row.callBackAt;
		counted.set(name, { ...last, row: { ...last.row, reached, callBackAt } });
	}
	return [...counted.values()]
		.map(({ row, outcome }) => toContact(row, outcome, now))
		.sort((first, second) => second.at - first.at);
}

function toContact(row: BookRow, outcome: RowOutcome, now: number): Contact {
	const { contactedAt, createdAt, contactId = null, execution, callBackAt } = row;
	// A row without a time of its contact was made when n8n says; one without any, now.
	const at = [contactedAt, createdAt].find((time) => !Number.isNaN(time)) ?? now;
	const claim = toPlainText(row.claim);
	const item = claim.slice(0, Math.max(0, claim.lastIndexOf('.')));
	const isClaimed = outcome === 'claimed';
	const reached = reachedBy(row);
	return {
		...{ item, at, isClaimed, outcome: isClaimed ? 'unknown' : outcome, contactId, callBackAt },
		...{ execution: toPlainText(execution), operation: comparable(row.operation) },
		...{ list: comparable(row.list), ...(reached !== undefined && { reached }) },
	};
}

/** Reads whether a call reached the person; `undefined` if its row says neither yes nor no. */
export function reachedBy({ reached }: BookRow): boolean | undefined {
	const written = comparable(reached);
	return written === 'yes' || written === 'no' ? written === 'yes' : undefined;
}

/**
 * Reads what became of a contact; `undefined` if that is empty. People write "Not Made", "reached"
 * or "ok": what is no other outcome is `accepted`, and not contacted again.
 */
export function rowOutcome(row: BookRow): RowOutcome | undefined {
	const written = comparable(row.outcome).replaceAll(/\s/g, '');
	if (written === '') return undefined;
	return OUTCOMES.find((outcome) => outcome.toLowerCase() === written) ?? 'accepted';
}

/** Says whether a row is of an SMS or a chat message, which may have the same ID as a call. */
export const isOfMessage = ({ operation }: BookRow): boolean =>
	/^(sms|msgapp)\./.test(operation ?? '');

export const isRedirected = (mode: string | null | undefined): boolean =>
	comparable(mode) === 'redirect';
