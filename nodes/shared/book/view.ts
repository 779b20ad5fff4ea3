import type { BookRow } from './columns';

/**
 * For how long a claim is waited for, in milliseconds. An older one counts as a contact: the process that made it may have
 * died after it sent the request.
 */
export const CLAIM_LIVES = 600_000;

/** An older claim is made again before its item is sent: others take it for a contact soon. In milliseconds. */
export const CLAIM_AGES = 0.8 * CLAIM_LIVES;

/** What the book says of the contacts of a number. */
export interface BookView {
	/** When they were, in milliseconds since the epoch, newest first. Whom an earlier claim may have reached was contacted. */
	readonly contacts: readonly number[];
	/** True if nobody can say whether the newest of them has reached the person. */
	readonly isUnsettled?: boolean;
	/** The IDs of the rows with which others are about to contact the number. */
	readonly rivals: readonly number[];
	/** What earlier tries of the item have done; absent if nothing. */
	readonly earlierTry?: EarlierTry;
	/** The executions of those tries whose rows say that it may have been sent; absent if there are none. */
	readonly openIn?: readonly string[];
}

/** The service has accepted the item, with this ID of its own; or it may have; or all rows of the item say that it has not. */
export type EarlierTry = { readonly acceptedAs: string | null } | 'possible' | 'notMade';

export const isAccepted = (
	earlierTry: EarlierTry | undefined,
): earlierTry is Exclude<EarlierTry, string> => typeof earlierTry === 'object';

/** For whom the rows of a number are read. */
export interface Viewer {
	/** Of the credential: rows of another mode do not count. Whatever somebody has entered that is not `redirect` is `live`. */
	readonly mode: string;
	/** The IDs of the rows with which this try claims the item. */
	readonly own: ReadonlySet<number>;
	/** Names the item in all tries of its execution, if it can be told. */
	readonly itemName?: string;
	/** True if an earlier try may have sent the item: it is no contact then, and the item is only sent again if the user wants it. */
	readonly isOfEarlierTry: boolean;
	/** In milliseconds since the epoch. */
	readonly now: number;
	/** False if live claims count as contacts: the item has waited for them as long as it may. */
	readonly isPatient: boolean;
}

/** What the rows of a number say to an item. */
export function viewOf(
	rows: readonly BookRow[],
	{ mode, own, itemName, isOfEarlierTry, now, isPatient }: Viewer,
): BookView {
	const isOfItem = (row: BookRow): boolean => itemName !== undefined && row.claim === itemName;
	const others = rows.filter(
		(row) => !own.has(row.id) && isRedirected(row.mode) === isRedirected(mode),
	);
	const counted = others.filter(isContact);
	const isLive = (row: BookRow): boolean =>
		outcomeOf(row) === 'claimed' && now - timeOf(row, now) < CLAIM_LIVES;
	const isRival = (row: BookRow): boolean => isPatient && isLive(row);
	// A live claim may be that of another retry.
	const isEarlierTry = (row: BookRow): boolean => isOfEarlierTry && isOfItem(row) && !isLive(row);
	const ofItem = others.filter(isOfItem);
	const earlierTry = earlierTryOf(ofItem);
	const openIn = ofItem.filter(isUnsettled).flatMap(({ execution }) => plain(execution) || []);
	const contacts = counted
		.filter((row) => !isRival(row) && !isEarlierTry(row))
		.map((row) => ({ at: timeOf(row, now), isUnsettled: isUnsettled(row) }))
		.sort((one, other) => other.at - one.at);
	return {
		contacts: contacts.map(({ at }) => at),
		...(contacts[0]?.isUnsettled === true && { isUnsettled: true }),
		rivals: counted.filter(isRival).map(({ id }) => id),
		...(earlierTry && { earlierTry }),
		...(openIn.length > 0 && { openIn }),
	};
}

/** @param rows those of the item */
function earlierTryOf(rows: readonly BookRow[]): EarlierTry | undefined {
	const contacts = rows.filter(isContact);
	// People write "Accepted", "reached" or "ok": whoever it is about is not to be contacted again.
	const accepted = contacts.findLast((row) => !isUnsettled(row));
	if (accepted) return { acceptedAs: accepted.contactId ?? null };
	if (contacts.length > 0) return 'possible';
	return rows.length > 0 ? 'notMade' : undefined;
}

const plain = (written: string | null | undefined): string => (written ?? '').trim();

const isRedirected = (mode: string | null | undefined): boolean =>
	plain(mode).toLowerCase() === 'redirect';

/** In small letters and without spaces, as people write it. */
const outcomeOf = ({ outcome }: BookRow): string =>
	plain(outcome).toLowerCase().replaceAll(/\s/g, '');

const isUnsettled = (row: BookRow): boolean => ['claimed', 'unknown'].includes(outcomeOf(row));

const isContact = (row: BookRow): boolean => !['', 'notmade'].includes(outcomeOf(row));

/** A row without a time of its contact was made when n8n says; one without any, now. */
const timeOf = ({ contactedAt, createdAt }: BookRow, now: number): number => {
	if (!Number.isNaN(contactedAt)) return contactedAt;
	return Number.isNaN(createdAt) ? now : createdAt;
};

/** What becomes of a claim after its row is in the book. */
export type Verdict =
	/** The item may be sent. */
	| 'go'
	/** The claim is kept until the others have ended or withdrawn, and looked at again. */
	| 'keep'
	/** The claim is given up, and made again when the others have ended. */
	| 'withdraw';

/**
 * Decides between claims of one number, made by any processes. Each writes its row before it reads those of the others, so
 * of two that are made at once at least one sees the other, and only who sees no other goes. IDs are given at the insert and
 * not at the commit, so a lower one is no victory: it only says who waits with its claim, and who without, so that not
 * all withdraw for ever.
 */
export function judge(ownId: number, rivals: readonly number[]): Verdict {
	if (rivals.length === 0) return 'go';
	return rivals.some((id) => id < ownId) ? 'withdraw' : 'keep';
}
