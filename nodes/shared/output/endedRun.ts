import type { Memory } from '../delivery/memory';
import type { Note } from '../delivery/note';
import type { Notes } from '../delivery/notes';
import type { Run } from '../delivery/run';
import type { Outcome } from '../delivery/outcome';

/** A run that has ended: what its output says and its summary counts. */
export interface EndedRun extends Pick<
	Run,
	'host' | 'operation' | 'mode' | 'checkedBy' | 'items' | 'cancelSignal'
> {
	readonly memory: Pick<Memory, 'acceptedBefore' | 'sentAgain' | 'isBarred'>;
	readonly notes: Pick<Notes, 'hasEarlier'>;
	/** What earlier tries have sent, or may have, and this run lacks: a number was changed. */
	readonly missing: readonly Note[];
	/** What became of each item, by index. */
	readonly outcomes: readonly Outcome[];
	/** True if the first failure is thrown. */
	readonly stopOnFailure: boolean;
	/** What is empty because its expression gave nothing, in sentences; empty if nothing is. */
	readonly blanks: string;
}
