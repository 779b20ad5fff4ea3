import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../answer/failure';
import type { Item, Sendable } from '../items/item';
import type { HeldBack } from '../rules/heldBack';

/** What an accepted item puts out. */
export interface Accepted {
	readonly kind: 'accepted';
	readonly body: IDataObject;
	readonly via: 'main' | 'fallback';
	/** The columns of an item whose answer is lost, but for its ID. */
	readonly recalled?: IDataObject;
}

export interface Failed {
	readonly kind: 'failed';
	readonly failure: Failure;
}

/** What became of an item: accepted, failed, held back by a rule of contact, or only checked. */
export type Outcome =
	Accepted | Failed | ({ readonly kind: 'heldBack' } & HeldBack) | { readonly kind: 'checked' };

/** Makes the outcome of an item that failed. */
export const failed = (failure: Failure): Failed => ({ kind: 'failed', failure });

/** Says why the item failed; `undefined` if it did not. */
export const failureOf = (outcome: Outcome | undefined): Failure | undefined =>
	outcome?.kind === 'failed' ? outcome.failure : undefined;

/** Says whether the item was accepted, or its outcome is unknown. */
export const mayHaveBeenSent = (outcome: Outcome): boolean =>
	outcome.kind === 'accepted' || failureOf(outcome)?.outcome === 'unknown';

/** What is known of an item before it is sent: of earlier tries, and of its person. */
export type Before =
	| { readonly kind: 'nothing' }
	/** An earlier try may have sent it. */
	| { readonly kind: 'maybeSent' }
	/** Nobody can tell: it is not sent. */
	| { readonly kind: 'unreadable'; readonly failure: Failure }
	| Extract<Outcome, { kind: 'accepted' | 'heldBack' }>;

export const NOTHING: Before = { kind: 'nothing' };

/** What became of an item in this try. */
export interface Settled {
	readonly given: Outcome;
	/** When its last request was sent, in milliseconds since the epoch; absent if none was. */
	readonly sentAt?: number;
	/** True if it may have been sent, in this try or in an earlier one. */
	readonly maybeSent: boolean;
}

/** The memory that survives the death of n8n (rule 4): the contact book, or the node's marks. */
export interface Shelf {
	/** Says what is known of items, and writes nothing; absent if it cannot. */
	look?(items: readonly Item[]): Promise<ReadonlyMap<Item, Before>>;
	/** Says what is known of items, and writes which are about to be sent. A retry asks for all. */
	claim(
		items: readonly Item[],
		maySend: (item: Item) => item is Sendable,
	): Promise<ReadonlyMap<Item, Before>>;
	/** Writes what became of an item; the next one for the same recipient waits for it. */
	settle(item: Item, settled: Settled): Promise<void>;
	/** Gives up the claims of items that have not ended, and resolves when everything is written. */
	close(): Promise<void>;
}
