import { nameOfItem, type ItemId } from '../items/subject';
import { groupBy } from '../values';

/**
 * Finds which notes of earlier tries are of which items (rule 5). Those whose number no item takes
 * stand for the first items of their subject that have none: rows may have been deleted.
 *
 * @param ids the items by index; `undefined` for those that are not looked for
 * @returns the note by the index of its item; each note stands for one item at most
 */
export function matchNotes<Note extends ItemId>(
	ids: readonly (ItemId | undefined)[],
	notes: readonly Note[],
): Map<number, Note> {
	const matches = new Map<number, Note>();
	const left = new Map(notes.map((note) => [nameOfItem(note), note]));
	const match = (findNote: (id: ItemId) => Note | undefined): void => {
		for (const [index, id] of ids.entries()) {
			const note = id === undefined || matches.has(index) ? undefined : findNote(id);
			if (note === undefined) continue;
			matches.set(index, note);
			left.delete(nameOfItem(note));
		}
	};
	match((id) => left.get(nameOfItem(id)));
	const others = [...left.values()].sort((one, other) => other.nth - one.nth);
	const bySubject = groupBy(others, ({ subject }) => subject);
	match(({ subject }) => bySubject.get(subject)?.pop());
	return matches;
}
