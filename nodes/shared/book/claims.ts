import { randomBytes } from 'crypto';

import { bookRow, type BookRow, type RowValues } from './columns';
import type { OptOuts } from './optOuts';
import { withRetries, toBookProblem } from './bookProblem';
import { rowsWith, type TableApi } from './tableApi';
import { contactsIn, type Seen } from './view';

/** Whose rows are looked for. */
export interface Asked {
	/** `+` and digits. */
	readonly phone: string;
	/** Of the credential: rows of another mode are no contacts. */
	readonly mode: string;
	/** How long it waits for n8n's limit, in milliseconds. */
	readonly maxWait: number;
}

/** A contact that is to be claimed. */
export interface Claiming extends Asked {
	/** What the row holds beside number, mode, claim, time and outcome. */
	readonly values: RowValues;
	/** True if it matters who else is about to contact the number. */
	readonly isExclusive: boolean;
	/**
	 * Under which item's name the contact may be claimed by what is seen; `undefined` if it may not.
	 * Asked anew for each look; says the same of the same `seen`, without the claim of this attempt.
	 */
	readonly mayClaim: (seen: Seen) => string | undefined;
}

/** What the book says to an item. */
export interface Claimed {
	/** As of the last look. */
	readonly seen: Seen;
	/** The whole name of its claim. Present if it may be sent. */
	readonly claim?: string;
	/** True if the claim was withdrawn: others have claimed the number, or its row is not there. */
	readonly isLost?: true;
}

/** A claiming with the item in whose name its contact was claimed. */
interface Bid extends Claimed {
	readonly claiming: Claiming;
	readonly item?: string;
}

/**
 * Claims contacts, once. They are decided in their order: a claim is a contact for the later ones.
 *
 * Exact over all processes: a claim is written before others are read again, so of two at least one
 * sees the other. Each has its own name: what n8n does late or twice changes no other.
 *
 * @throws BookProblem. None of these claims stands then, as far as n8n could be reached
 */
export async function claimAll(
	table: TableApi,
	optOuts: OptOuts,
	claimings: readonly Claiming[],
): Promise<readonly Claimed[]> {
	const read = () => Promise.all([rowsOf(table, claimings), optOuts.refresh(table)]);
	const [rows] = await withRetries(read);
	const contactedAt = new Date().toISOString();
	const added: RowValues[] = [];
	const bids = claimings.map((claiming): Bid => {
		const { phone, mode, values } = claiming;
		const ofPhone = rows.get(phone) ?? [];
		const seen = see(claiming, ofPhone, optOuts);
		const item = itemFor(claiming, seen);
		if (item === undefined) return { claiming, seen };
		const claim = `${item}.${randomBytes(12).toString('base64url')}`;
		const row = { ...values, phone, mode, claim, contactedAt, outcome: 'claimed' } as const;
		added.push(row);
		ofPhone.push(bookRow.parse({ ...row, id: 0, updatedAt: '' }));
		return { claiming, seen, item, claim };
	});
	if (added.length === 0) return bids;
	try {
		await withRetries(() => table.insert(added));
		return await keepAllowed(table, optOuts, bids);
	} catch (error) {
		await withdraw(table, bids).catch((failed: unknown) => {
			// Nobody waits for n8n's limit any longer.
			if (toBookProblem(failed).status === 429)
				withdraw(table, bids, Infinity).catch(() => undefined);
		});
		throw toBookProblem(error);
	}
}

/** Looks again where others matter, and withdraws claims that are not allowed beside theirs. */
async function keepAllowed(table: TableApi, optOuts: OptOuts, bids: readonly Bid[]) {
	const exclusive = bids.filter(({ claim, claiming }) => claim && claiming.isExclusive);
	const asked = exclusive.map(({ claiming }) => claiming);
	const rows = await withRetries(() => rowsOf(table, asked));
	const lost: Bid[] = [];
	const attempts = bids.map((bid): Claimed => {
		if (!exclusive.includes(bid)) return bid;
		const ofPhone = rows.get(bid.claiming.phone) ?? [];
		const seen = see(bid.claiming, ofPhone, optOuts, bid.claim);
		const isThere = ofPhone.some(({ claim }) => claim === bid.claim);
		// What may be claimed in the name of another item is another contact.
		if (isThere && itemFor(bid.claiming, seen) === bid.item) return { ...bid, seen };
		lost.push(bid);
		return { seen, isLost: true };
	});
	await withdraw(table, lost);
	return attempts;
}

async function rowsOf(table: TableApi, asked: readonly Asked[]): Promise<Map<string, BookRow[]>> {
	const rows = new Map(asked.map(({ phone }) => [phone, new Array<BookRow>()]));
	if (rows.size === 0) return rows;
	for (const row of await table.rows(rowsWith('phone', [...rows.keys()])))
		rows.get(row.phone ?? '')?.push(row);
	return rows;
}

/** @param ownClaim its claim, which is no contact */
function see({ phone, mode }: Asked, rows: BookRow[], optOuts: OptOuts, ownClaim?: string): Seen {
	const contactRows = rows.filter(({ claim }) => ownClaim === undefined || claim !== ownClaim);
	const at = Date.now();
	return {
		at,
		contacts: contactsIn(contactRows, mode, at),
		// The list is told apart by times, which the clocks of several processes of n8n give.
		isOptedOut: optOuts.has(phone) || rows.some(({ doNotContact }) => doNotContact),
		...(optOuts.problem !== undefined && { problem: optOuts.problem }),
	};
}

const itemFor = ({ mayClaim }: Claiming, seen: Seen): string | undefined =>
	seen.problem === undefined ? mayClaim(seen) : undefined;

/** Gives up claims: their rows hold nobody back. */
async function withdraw(table: TableApi, bids: readonly Bid[], until?: number): Promise<void> {
	const names = bids.flatMap(({ claim = [] }) => claim);
	if (names.length === 0) return;
	await withRetries(() => table.update(rowsWith('claim', names), { outcome: 'notMade' }, until));
}
