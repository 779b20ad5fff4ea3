import type { IExecuteFunctions } from 'n8n-workflow';

import type { Failure } from '../answer/failure';
import type { Operation } from '../declaration/operation';
import type { Notes } from '../delivery/ledger/notes';
import type { RunResult } from '../delivery/result';
import type { Host } from '../host';
import type { Mode } from '../request/credential';
import type { Planned } from '../request/planned';

/** A run that has ended. */
export interface EndedRun {
	readonly context: IExecuteFunctions;
	readonly operation: Operation;
	readonly host: Host;
	readonly mode: Mode;
	readonly planned: readonly Planned[];
	/** What became of the items, in their order. */
	readonly results: readonly RunResult[];
	/** True if the node uses the contact book. */
	readonly usesBook: boolean;
	/** True if a retry finds the rows of its items in the contact book. */
	readonly findsRows: boolean;
	/** See `Ledger.refusal`. */
	readonly refusal: Failure | undefined;
	/** How many items an earlier try has sent, which the service has accepted. */
	readonly acceptedBefore: number;
	/** See `Notes.missing`; none of an operation that is safe to repeat, and of a redirection. */
	readonly missing: Notes['missing'];
	/** How many items were sent in this run although an earlier try may have sent them. */
	readonly sentAgain: number;
	/** See `BookContacts.openIn`. */
	readonly openIn: ReadonlySet<string>;
	/** What else there is to say of the run, in sentences; empty ones say nothing. */
	readonly notices: readonly string[];
}
