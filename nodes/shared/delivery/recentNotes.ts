import { nameOfItem } from '../items/subject';
import type { Note } from './note';

/** How many characters of JSON are kept. */
const MOST_KEPT = 20_000_000;

/** As how many characters a note counts beside its answer. */
const LENGTH_OF_NOTE = 1_000;

/** Of retried executions, the least recently retried first, and how many characters that is. */
const retried = { runs: new Map<string, { notes: Note[]; characters: number }>(), characters: 0 };

/**
 * Gives the notes of a run that all retries of its execution share in this process, in turn. n8n
 * gives each only what its own failed execution has saved, not what other retries have sent.
 *
 * @param name names the run: the same in an execution, its retries and theirs, and nowhere else
 */
export function shareNotes(name: string, saved: readonly Note[]): Note[] {
	const run = retried.runs.get(name) ?? { notes: [], characters: 0 };
	retried.runs.delete(name);
	retried.runs.set(name, run);
	countNote(name);
	const shared = new Map(run.notes.map((note) => [nameOfItem(note), note]));
	for (const note of saved) {
		const same = shared.get(nameOfItem(note));
		if (same && (same.accepted || !note.accepted)) continue;
		if (same) same.accepted = note.accepted;
		else run.notes.push(note);
		countNote(name, note);
	}
	return run.notes;
}

/** Counts a note that has come to a run; lets go of the runs that were retried longest ago. */
export function countNote(name: string, note?: Note): void {
	const run = retried.runs.get(name);
	if (run === undefined) return;
	const added = LENGTH_OF_NOTE + JSON.stringify(note?.accepted ?? '').length;
	run.characters += added;
	retried.characters += added;
	for (const [oldest, { characters: freed }] of retried.runs) {
		if (retried.characters <= MOST_KEPT) break;
		retried.runs.delete(oldest);
		retried.characters -= freed;
	}
}
