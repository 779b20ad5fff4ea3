import { MOST_NOTES, recentNotes as runs } from '../processState';
import { nameOfItem } from '../items/subject';
import type { Note } from './note';

/**
 * Gives the notes of a run that all retries of its execution share in this process, in turn. n8n
 * gives each only what its own failed execution has saved, not what other retries have sent.
 *
 * The last {@link MOST_NOTES} are kept. Marks tell what other processes have sent.
 *
 * @param name names the run: the same in an execution, its retries and theirs, and nowhere else
 * @param saved what the failed execution has saved
 */
export function shareNotes(name: string, saved: readonly Note[]): Note[] {
	const shared = runs.get(name) ?? [];
	const known = new Map(shared.map((note) => [nameOfItem(note), note]));
	for (const note of saved) {
		const same = known.get(nameOfItem(note));
		if (same === undefined) shared.push(note);
		else same.accepted ??= note.accepted;
	}
	runs.delete(name);
	runs.set(name, shared);
	let total = [...runs.values()].reduce((sum, notes) => sum + notes.length + 1, 0);
	for (const [oldest, notes] of runs) {
		if (total <= MOST_NOTES || notes === shared) break;
		runs.delete(oldest);
		total -= notes.length + 1;
	}
	return shared;
}
