import type { Item } from '../items/item';
import type { Earlier, Entry } from './entry';
import type { EarlierRow } from './identify';
import type { Outcome } from './outcome';

/** What the shelf says of an item before it is sent. */
export interface ShelfAnswer {
	/** What earlier tries have done; a first run that a queue starts anew has earlier ones, too. */
	readonly earlier?: Earlier;
	/** Why the item is not sent now. */
	readonly hold?: Outcome;
	/** Names what was written: the item is about to be sent. */
	readonly claim?: string;
}

/** Says whether an item may be sent, as far as its entry tells. */
export type MaySend = (entry: Entry) => boolean;

export type ShelfAnswers = ReadonlyMap<Entry, ShelfAnswer>;

/**
 * The memory that survives the death of n8n (rule 4): the contact book, or the node's marks. It
 * keeps nothing of the items: that is in their entries.
 */
export interface Shelf {
	/** Reads what earlier tries left of these items; absent of marks, which only a claim can read. */
	recall?(items: readonly Item[]): Promise<readonly EarlierRow[]>;
	/** Says what stands against sending items, and writes nothing; absent if it cannot. */
	look?(entries: readonly Entry[]): Promise<ShelfAnswers>;
	/** Writes which items are about to be sent, unless something stands against it. */
	claim(entries: readonly Entry[], maySend: MaySend): Promise<ShelfAnswers>;
	/** Writes what became of an item; the next one for its recipient waits. Absent of marks. */
	settle?(entry: Entry): Promise<void>;
	/** Gives up claims of items that have ended, or that nobody sends any more. */
	release(entries: readonly Entry[]): Promise<void>;
}
