import type { RowValues } from './columns';
import { judge, type BookView } from './view';

/** What an item asks of the book. */
export interface BookQuestion {
	/** `+` and digits. */
	readonly phone: string;
	/** Of the credential: rows of another mode are no contacts. */
	readonly mode: string;
	/** Names the item in all tries of its execution, if it can be told. */
	readonly itemName?: string;
	/** True if an earlier try may have sent the item: it is no contact then, and the item is only sent again if the user wants it. */
	readonly isOfEarlierTry: boolean;
	/** False if it has waited long enough: whom others are about to contact counts as contacted then. */
	readonly isPatient: boolean;
	/** Absent if the item only looks. */
	readonly claim?: BookClaim;
}

export interface BookClaim {
	/** What the row holds beside time and outcome. */
	readonly values: RowValues;
	/** What the book has said to the item before in this run. */
	readonly earlier?: BookAnswer;
	/** True if it matters who else is about to contact the number. */
	readonly isExclusive: boolean;
	/** Whether the rules allow a contact. */
	readonly isAllowed: (look: Look) => boolean;
}

/** What the book says of a number. */
export interface Look extends BookView {
	/** True if there is a row with `doNotContact`. */
	readonly isOptedOut: boolean;
	/** Why nobody may be contacted: a row with `doNotContact` cannot be read. */
	readonly problem?: string;
}

/** What the book says to an item. */
export interface BookAnswer extends Look {
	/** The row of its claim, if one was ever made, and when it was made last, in milliseconds since the epoch. */
	readonly row?: number;
	readonly claimedAt?: number;
	/** `granted`: the item may be sent. `standing`: its claim waits for those of others. */
	readonly claim: 'granted' | 'standing' | 'none';
	/** True if a row was added for it, and was not there when it was looked for right after. */
	readonly isGone?: boolean;
}

/** A question with what is known of it. */
export class Entry {
	look: Look = { contacts: [], rivals: [], isOptedOut: false };

	row: number | undefined;

	claimedAt: number;

	/** True if its row stands as a claim. */
	isStanding: boolean;

	isGone = false;

	/** The rows that it had before a failure. */
	left: readonly number[] = [];

	constructor(readonly question: BookQuestion) {
		const { row, claimedAt = 0, claim = 'none' } = question.claim?.earlier ?? {};
		this.row = row;
		this.claimedAt = claimedAt;
		this.isStanding = claim !== 'none';
	}

	get isExclusive(): boolean {
		return this.question.claim?.isExclusive === true;
	}

	get rivals(): readonly number[] {
		return this.isExclusive ? this.look.rivals : [];
	}

	get isAllowed(): boolean {
		return this.look.problem === undefined && this.question.claim?.isAllowed(this.look) === true;
	}

	/** True if its claim is to be given up. */
	get isLost(): boolean {
		return !this.isAllowed || judge(this.row ?? Number.NaN, this.rivals) === 'withdraw';
	}

	get answer(): BookAnswer {
		const { look, row, claimedAt, isStanding, isGone } = this;
		const standing = this.rivals.length === 0 ? 'granted' : 'standing';
		const claim = isStanding ? standing : 'none';
		return {
			...look,
			claim,
			...(row !== undefined && { row, claimedAt }),
			...(isGone && { isGone }),
		};
	}
}
