import type { RunResult } from '../result';
import type { BookContacts } from './bookContacts';
import type { Lease } from './lease';
import type { Marks } from './marks';
import type { MarkStore } from './markStore';
import type { Notes } from './notes';
import type { Rules } from './rules';

/** What is to be done with an item that begins. */
export type Beginning =
	/** It may be sent, as long as `Ledger.aboutToSend` lets it. */
	| 'send'
	/** It is not to be sent: this became of it. */
	| { readonly result: RunResult }
	/** Another item has to end first, or another run is about to contact the person. To be begun again when this resolves. */
	| { readonly waitFor: Promise<void> };

export interface LedgerOptions {
	readonly notes: Notes;
	/** Absent if the operation is safe to repeat, and for a tool: after a crash, an agent begins a new conversation. */
	readonly marks?: Marks;
	/** Absent without the contact book. */
	readonly contacts?: BookContacts;
	readonly rules: Rules;
	readonly store: MarkStore;
	/** Of a retry whose items are marked. */
	readonly lease?: Lease;
	/** True in the retry of an execution. */
	readonly isRetry: boolean;
	/** Aborted when nothing more is to start. */
	readonly signal: AbortSignal;
	/** Aborted when the execution is cancelled. */
	readonly cancel?: AbortSignal;
}
