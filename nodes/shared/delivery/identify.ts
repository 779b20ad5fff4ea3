import type { RowOutcome } from '../book/columns';
import { isSendable, type Item } from '../items/item';
import { nameOfItem, type ItemId } from '../items/subject';
import { groupBy } from '../values';
import type { Note } from './note';

/** What the contact book holds of an item that an earlier try has claimed. */
export interface EarlierRow extends ItemId {
	/** `unknown` also while it is claimed. */
	readonly outcome: Exclude<RowOutcome, 'claimed' | 'notMade'>;
	/** The ID of the service, if the item was accepted. */
	readonly contactId: string | null;
}

/** What all earlier tries of an execution have left. */
export interface EarlierTries {
	/** Says whether what an earlier run of the node in this execution has sent has this number. */
	readonly isTaken: (id: ItemId) => boolean;
	readonly notes: readonly Note[];
	/** Read before the first item is sent; none without a contact book. */
	readonly rows: readonly EarlierRow[];
}

/** Who an item is in all tries of its execution. */
export interface Identity {
	/** Absent if its subject cannot be read. */
	readonly id?: ItemId;
	readonly note?: Note;
	readonly row?: EarlierRow;
}

/**
 * Says who is who (rule 5): in each run, the items of a subject take the lowest numbers that are
 * free; an item that finds a note takes the number of that, else that of a row.
 *
 * @returns the identity of each item by index; and the notes that stand for none of them, in the
 * order of the try that sent them, without those that reached the test number
 */
export function identify(
	items: readonly Item[],
	{ isTaken, notes, rows }: EarlierTries,
): { readonly identities: readonly Identity[]; readonly missing: readonly Note[] } {
	const numbered = numberItems(items, isTaken);
	const noteOf = matchIds(numbered, notes);
	const noted = new Set(notes.map(nameOfItem));
	// A row of a note, or of an earlier run of the node, is nobody else's.
	const rowsByName = byName(rows);
	const freeRows = [...rowsByName.values()].filter(
		(row) => !noted.has(nameOfItem(row)) && !isTaken(row),
	);
	const withoutNote = numbered.map((id, index) => (noteOf.has(index) ? undefined : id));
	const rowOf = matchIds(withoutNote, freeRows);
	const identities = numbered.map((id, index): Identity => {
		const note = noteOf.get(index);
		const row = note ? rowsByName.get(nameOfItem(note)) : rowOf.get(index);
		const { subject, nth } = note ?? row ?? id ?? {};
		return {
			...(subject !== undefined && nth !== undefined && { id: { subject, nth } }),
			...(note && { note }),
			...(row && { row }),
		};
	});
	const matched = new Set(noteOf.values());
	const missing = notes.filter((note) => note.isRedirected !== true && !matched.has(note));
	return { identities, missing: missing.sort((first, second) => first.index - second.index) };
}

/** An item has a row for each try that claimed it; the one that was accepted counts. */
function byName(rows: readonly EarlierRow[]): ReadonlyMap<string, EarlierRow> {
	const rowsByName = new Map<string, EarlierRow>();
	for (const row of rows)
		if (rowsByName.get(nameOfItem(row))?.outcome !== 'accepted')
			rowsByName.set(nameOfItem(row), row);
	return rowsByName;
}

/** Items with a fault of their own come last, so that others' numbers do not depend on them. */
function numberItems(items: readonly Item[], isTaken: EarlierTries['isTaken']) {
	const next = new Map<string, number>();
	const take = (subject: string): ItemId => {
		let nth = next.get(subject) ?? 0;
		while (isTaken({ subject, nth })) nth++;
		next.set(subject, nth + 1);
		return { subject, nth };
	};
	const ids: (ItemId | undefined)[] = items.map(() => undefined);
	const isLast = (item: Item): boolean => !isSendable(item) && !item.isRefusedWithRun;
	for (const takesLast of [false, true])
		for (const [index, item] of items.entries())
			if (item.subject !== undefined && isLast(item) === takesLast) ids[index] = take(item.subject);
	return ids;
}

/**
 * Finds which of what earlier tries left is of which items. What has a number that no item takes
 * stands for the first items of its subject that have none: rows may have been deleted.
 *
 * @param ids the items by index; `undefined` for those that are not looked for
 * @returns the match by the index of its item; each stands for one item at most
 */
export function matchIds<Left extends ItemId>(
	ids: readonly (ItemId | undefined)[],
	left: readonly Left[],
): Map<number, Left> {
	const matches = new Map<number, Left>();
	if (left.length === 0) return matches;
	const unmatched = new Map(left.map((entry) => [nameOfItem(entry), entry]));
	const match = (find: (id: ItemId) => Left | undefined): void => {
		for (const [index, id] of ids.entries()) {
			const entry = id === undefined || matches.has(index) ? undefined : find(id);
			if (entry === undefined) continue;
			matches.set(index, entry);
			unmatched.delete(nameOfItem(entry));
		}
	};
	match((id) => unmatched.get(nameOfItem(id)));
	const highestFirst = [...unmatched.values()].sort((first, second) => second.nth - first.nth);
	const bySubject = groupBy(highestFirst, ({ subject }) => subject);
	match(({ subject }) => bySubject.get(subject)?.pop());
	return matches;
}
