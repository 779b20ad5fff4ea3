import type { Memory } from '../delivery/memory';
import type { Notes } from '../delivery/notes';
import type { Run } from '../delivery/run';
import type { Outcome } from '../delivery/outcome';

/** A run that has ended. */
export interface EndedRun extends Pick<
	Run,
	'context' | 'host' | 'operation' | 'mode' | 'items' | 'cancel'
> {
	readonly memory: Pick<Memory, 'acceptedBefore' | 'sentAgain' | 'isBarred'>;
	readonly notes: Pick<Notes, 'missing' | 'hasEarlier'>;
	/** What became of each item, by index. */
	readonly outcomes: readonly Outcome[];
	/** What else there is to say of the run, in sentences; empty ones say nothing. */
	readonly notices: readonly string[];
}
