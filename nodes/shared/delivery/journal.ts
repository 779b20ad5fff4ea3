import type { ItemPlan } from '../request';
import { digest } from './identity';
import { lostAnswer, type ItemResult } from './ledger';

/** Notes that n8n keeps from the moment they are made, whatever becomes of the execution. */
export interface NoteStore {
	/** Adds notes, and returns those that were there before. */
	add(notes: string[]): Promise<string[]>;
	remove(notes: string[]): Promise<void>;
}

/** How many items are noted at a time: a crash leaves at most so many in doubt that were not sent. */
const MIN_STRETCH = 50;

/** A note costs more the more there are; a long list is noted in so many parts. */
const MAX_PARTS = 100;

/**
 * Remembers which items were about to be sent when n8n itself died. n8n saves the ledger only at the end
 * of an execution; if its process is killed before, a retry starts from the beginning, with no ledger.
 *
 * Items are noted before they are sent. Of those that the service certainly did nothing for, the note is
 * taken back; of the others it stays, since a crash can still come in a later node.
 */
export class Journal {
	private notedUpTo = 0;

	/** The items that this run has noted. */
	private readonly notes = new Map<number, string>();

	/** The items that were noted before this run. */
	private readonly begun = new Set<number>();

	/**
	 * @param origin names the run: the same in the execution and all its retries, and nowhere else
	 * @param planned the items, with `undefined` for those that are not to be sent
	 */
	constructor(
		private readonly store: NoteStore,
		private readonly origin: string,
		private readonly planned: readonly (ItemPlan | undefined)[],
	) {}

	/** Notes the item and some that follow, unless that was done before. To be called in the order of the items. */
	async note(index: number): Promise<void> {
		if (index < this.notedUpTo) return;
		const stretch = Math.max(MIN_STRETCH, Math.ceil(this.planned.length / MAX_PARTS));
		this.notedUpTo = index + stretch;
		const items = [...this.planned.slice(index, this.notedUpTo).entries()].flatMap(
			([offset, plan]) =>
				plan ? [{ index: index + offset, note: this.noteOf(index + offset, plan) }] : [],
		);
		const before = new Set(await this.store.add(items.map(({ note }) => note)));
		for (const { index: item, note } of items) {
			if (before.has(note)) this.begun.add(item);
			else this.notes.set(item, note);
		}
	}

	/** The failure of an item that may have been sent before n8n died; `undefined` if it is to be sent. */
	recall(index: number, { options }: ItemPlan): ItemResult | undefined {
		const mayBeSent = !this.begun.has(index) || options.ifOutcomeUnknown === 'sendAgain';
		return mayBeSent ? undefined : { accepted: false, failure: lostAnswer() };
	}

	/** Takes back the notes of what the service certainly did nothing for. */
	async close(results: readonly ItemResult[]): Promise<void> {
		const settled = [...this.notes].filter(([index]) => {
			const result = results[index];
			return result?.accepted === false && result.failure.outcome !== 'unknown';
		});
		if (settled.length > 0) await this.store.remove(settled.map(([, note]) => note));
	}

	private noteOf(index: number, { identity }: ItemPlan): string {
		return digest([this.origin, index, identity].join(' '));
	}
}
