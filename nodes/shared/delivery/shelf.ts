import type { Failure } from '../answer/failure';
import type { Item, Sendable } from '../items/item';
import type { Outcome } from './outcome';

/** What is known of an item before it is sent: of earlier tries of its execution, and of its person. */
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

/** The memory of an operation that survives the death of n8n (rule 4): the contact book, or the marks of the node, or none. */
export interface Shelf {
	/** Says what is known of items, and writes nothing. */
	look(items: readonly Item[]): Promise<ReadonlyMap<Item, Before>>;
	/** Says what is known of items, and writes down that those that may be sent are about to be. */
	claim(
		items: readonly Item[],
		maySend: (item: Item) => item is Sendable,
	): Promise<ReadonlyMap<Item, Before>>;
	/** Writes what became of an item; the next one for the same recipient waits for it. */
	settle(item: Item, settled: Settled): Promise<void>;
	/** Gives up what was claimed for items that have not ended, and resolves when everything is written. */
	close(): Promise<void>;
}

/** Of operations that are safe to repeat, and of tools without a contact book. */
export const NO_SHELF: Shelf = {
	look: async () => await Promise.resolve(new Map()),
	claim: async () => await Promise.resolve(new Map()),
	settle: async () => {
		await Promise.resolve();
	},
	close: async () => {
		await Promise.resolve();
	},
};
