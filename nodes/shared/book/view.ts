import { comparable, type PastContact } from '../rules/lists';
import type { BookOfPerson } from '../rules/rules';
import { groupBy, toPlainText } from '../values';
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

type ContactRow = BookRow & { readonly outcome: RowOutcome };

/** Of rows with the same `claim`, the last one of these counts. */
const OUTCOMES: readonly RowOutcome[] = ['claimed', 'notMade', 'unknown', 'accepted'];

const rankOf = ({ outcome }: ContactRow): number => OUTCOMES.indexOf(outcome);

const isMoment = (time: number): boolean => !Number.isNaN(time);

/**
 * Reads the contacts of a mode from the rows of a number, newest first. Rows with one `claim` are
 * one contact: n8n added it twice, or a further row settled it. Modes but `redirect` are `live`.
 */
export function contactsIn(rows: readonly BookRow[], mode: string, now: number): Contact[] {
	const contactRows = rows.flatMap((row): ContactRow[] => {
		const outcome = rowOutcome(row);
		const isOfMode = isRedirected(row.mode) === isRedirected(mode);
		return isOfMode && outcome !== undefined ? [{ ...row, outcome }] : [];
	});
	const byClaim = groupBy(contactRows, ({ claim, id }) => toPlainText(claim) || `row ${id}`);
	return [...byClaim.values()]
		.map((rowsOfClaim) => toContact(rowsOfClaim, now))
		.sort((first, second) => second.at - first.at);
}

/** @param rows at least one */
function toContact(rows: readonly ContactRow[], now: number): Contact {
	const counted = rows.reduce((before, row) => (rankOf(row) >= rankOf(before) ? row : before));
	const { contactedAt, createdAt, contactId = null, execution, outcome } = counted;
	// A row without a time of its contact was made when n8n says; one without any, now.
	const at = [contactedAt, createdAt].find(isMoment) ?? now;
	// That a call reached the person, or is to be made again, holds whichever row says it.
	const reached = rows.some((row) => reachedBy(row) === true) || reachedBy(counted);
	const callBackAt = [counted, ...rows].map((row) => row.callBackAt).find(isMoment) ?? NaN;
	const claim = toPlainText(counted.claim);
	const isClaimed = outcome === 'claimed';
	return {
		item: claim.slice(0, Math.max(0, claim.lastIndexOf('.'))),
		at,
		isClaimed,
		outcome: isClaimed ? 'unknown' : outcome,
		contactId,
		callBackAt,
		execution: toPlainText(execution),
		operation: comparable(counted.operation),
		list: comparable(counted.list),
		...(reached !== undefined && { reached }),
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
