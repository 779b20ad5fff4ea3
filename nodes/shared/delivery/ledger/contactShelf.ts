import type { Failure } from '../../answer/failure';
import type { Accepted, RunResult } from '../result';
import type { History } from './rules';

/** What is known of an item when its recipient is looked up. */
export interface ItemChecks {
	/** True if an earlier try of this execution may have sent it: that try is no contact before. */
	readonly isOfEarlierTry: (index: number) => boolean;
	/**
	 * False if it is not to be sent: it cannot be, the run was stopped, an earlier try was accepted, or one may have sent it
	 * and it is not sent again.
	 */
	readonly mayBeSent: (index: number) => boolean;
}

/** `possible`: an earlier try may have sent the item; `notMade`: none has reached anybody, as far as is known here. */
export type RecalledTry = Accepted | 'possible' | 'notMade';

/** Claims of the recipients of some items, while they are made. */
export interface ClaimRound {
	/** The marks that n8n's store is to add for them. */
	readonly asked: readonly string[];

	/**
	 * Makes the claims, except of people who were contacted before; those contacts are in {@link ContactShelf.history} then.
	 *
	 * @param before which of the marks were in the store before; `undefined` if n8n cannot keep marks
	 * @returns false if nothing could be looked up, or the run is over; then nothing is claimed
	 */
	finish(before: ReadonlySet<string> | undefined, checks: ItemChecks): Promise<boolean>;
}

/**
 * Where contacts are remembered: by each node for itself ({@link NodeContacts}), or in a table that all nodes share
 * ({@link BookContacts}). Items are named by their indexes.
 */
export interface ContactShelf {
	/** True if an item is to remember whom it contacts. */
	readonly isUsed: boolean;

	/**
	 * True if a claim is made only after the recipient was looked up and no rule holds the item back. Then an item that is held
	 * back already is given to {@link begin}, too, so that its recipient is looked up.
	 */
	readonly readsFirst: boolean;

	/** What is known of the recipient. An earlier try of this execution, if it may have sent the item, is no contact. */
	history(index: number, isOfEarlierTry: boolean): History;

	/** What is known of earlier tries of the item, which the notes may have lost. */
	earlierTry(index: number): RecalledTry | undefined;

	/** Why the item cannot be sent, whatever the rules say. */
	refusal(index: number): Failure | undefined;

	/** True if the recipient of the item has to be claimed before the item is sent, and is not yet. */
	needsClaim(index: number): boolean;

	/** True if another item is about to contact the same person. */
	isPending(index: number): boolean;

	/** Resolves when the item is to be begun again, and at {@link endWaits}. To be followed by {@link begin} or {@link settle}. */
	waitForTurn(index: number): Promise<void>;

	/** Ends all waits: nothing more is to start. */
	endWaits(): void;

	/** Looks up the recipients of items, for a run that sends nothing. */
	look(indexes: readonly number[], isOfEarlierTry: ItemChecks['isOfEarlierTry']): Promise<void>;

	/** Begins to claim the recipients of items, except those that another item is about to contact. */
	begin(indexes: readonly number[]): ClaimRound;

	/** Why nothing could be looked up. */
	notLookedUp(): Failure;

	/**
	 * Takes the grant of a claim back that is too old for the item to be sent by it. True if it did: {@link begin} has to make
	 * the claim again before the first request. Until then it stands for others.
	 */
	revokeIfStale(index: number): boolean;

	/** To be called right before each request of the item. */
	sending(index: number): void;

	/**
	 * To be called when the item has ended.
	 *
	 * @param result what counts: it stays unknown if an earlier try may have worked
	 * @param given what became of it in this try
	 */
	settle(index: number, result: RunResult, given: RunResult): void;

	/** Gives up the claims of items that have not ended, and resolves when everything is written down. */
	close(): Promise<void>;

	/** The earlier executions in whose rows items are that may have been sent. */
	readonly openIn: ReadonlySet<string>;

	/** What the user should know of what is not remembered, or holds back from elsewhere; empty if there is nothing. */
	describeLimits(): string;
}
