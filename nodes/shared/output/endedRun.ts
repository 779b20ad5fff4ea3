import type { IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../declaration/operation';
import type { Note } from '../delivery/note';
import type { Outcome } from '../delivery/outcome';
import type { Host } from '../host';
import type { Mode } from '../items/credential';
import type { Item } from '../items/item';

/** A run that has ended. */
export interface EndedRun {
	readonly context: IExecuteFunctions;
	readonly operation: Operation;
	readonly host: Host;
	readonly mode: Mode;
	/** By index, and what became of each. */
	readonly items: readonly Item[];
	readonly outcomes: readonly Outcome[];
	/** True if its contacts are in a contact book. */
	readonly usesBook: boolean;
	/** How many items an earlier try has sent, which the service has accepted. */
	readonly acceptedBefore: number;
	/** How many items were sent in this run although an earlier try may have sent them. */
	readonly sentAgain: number;
	/** See `Notes.missing`; none of an operation that is safe to repeat, and of a redirection. */
	readonly missing: readonly Pick<Note, 'index' | 'toNumber'>[];
	/** What else there is to say of the run, in sentences; empty ones say nothing. */
	readonly notices: readonly string[];
}
