import type { Item } from '../items/item';
import { nameOfItem } from '../items/subject';
import { digest } from '../values';
import { notLookedUp } from './failures';
import type { MarkStore } from './markStore';
import type { Notes } from './notes';
import { NOTHING, type Before, type Settled, type Shelf } from './outcome';

interface MarkShelfOptions {
	readonly store: MarkStore;
	/** Names the node in the execution, the same in its retries. */
	readonly origin: string;
	readonly notes: Pick<Notes, 'idOf'>;
	/** True in a retry: it sends nothing while n8n cannot tell what was marked before. */
	readonly isRetry: boolean;
}

/**
 * The marks of an execution: which items were about to be sent when n8n died. n8n saves the notes
 * only when the execution ends; if its process is killed before, a retry starts without them.
 *
 * Each item has one mark, of its execution, its subject and its number. Asking for a mark adds it,
 * so nobody only looks. Marks of what the service certainly did nothing for are taken back with the
 * next batch, or at the end. The others stay, since a crash can still come in a later node.
 */
export class MarkShelf implements Shelf {
	/** The marks that this run has added. */
	private readonly added = new Map<Item, string>();

	/** The items whose marks are to be taken back. */
	private readonly notSent = new Set<Item>();

	constructor(private readonly options: MarkShelfOptions) {}

	async claim(items: readonly Item[]): Promise<ReadonlyMap<Item, Before>> {
		const { notes, isRetry, origin, store } = this.options;
		const marks = new Map<Item, string>();
		for (const item of items) {
			const id = notes.idOf(item.index);
			if (id) marks.set(item, digest(`${origin} ${nameOfItem(id)}`));
		}
		if (marks.size === 0) return new Map();
		void this.takeBack();
		// If n8n cannot keep them, a first try sends all the same.
		const found = await store.add([...marks.values()], !isRetry);
		const beforeOf = (item: Item, mark: string): Before => {
			if (found?.has(mark) === true) return { kind: 'maybeSent' };
			// It may be of an earlier try: then it must stay.
			if (!found && isRetry) return { kind: 'unreadable', failure: notLookedUp() };
			this.added.set(item, mark);
			return NOTHING;
		};
		return new Map([...marks].map(([item, mark]) => [item, beforeOf(item, mark)]));
	}

	async settle(item: Item, { maybeSent }: Settled): Promise<void> {
		if (!maybeSent) this.notSent.add(item);
		await Promise.resolve();
	}

	async close(): Promise<void> {
		await this.takeBack();
	}

	private async takeBack(): Promise<void> {
		const marked = [...this.notSent].filter((item) => this.added.has(item));
		for (const item of marked) this.notSent.delete(item);
		await this.options.store.remove(marked.flatMap((item) => this.added.get(item) ?? []));
	}
}
