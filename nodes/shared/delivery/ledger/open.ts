import type { IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../../declaration/operation';
import type { Host } from '../../host';
import { nameOfItem } from '../../request/subject';
import { digest } from '../../values';
import type { Planned } from '../../request/planned';
import { BookContacts } from './bookContacts';
import { Count } from './count';
import { isHeld, Lease } from './lease';
import { Ledger } from './ledger';
import type { LedgerOptions } from './ledgerOptions';
import { Marks } from './marks';
import { createMarkStore } from './markStore';
import { Notes } from './notes';
import type { BookAccess } from './openBook';
import { Rules } from './rules';

/** A run of the node. */
interface OpenedRun extends Pick<LedgerOptions, 'signal' | 'cancel'> {
	readonly operation: Operation;
	readonly host: Host;
	/** Of the credential: contacts of one mode do not count for another. */
	readonly mode: string;
	/** E.g. `call.place`. */
	readonly operationName: string;
	/** Absent if the node does not use the contact book. */
	readonly book?: BookAccess;
	/** The items by index. */
	readonly planned: readonly Planned[];
}

/** What a run remembers of earlier ones. */
export interface OpenLedger {
	readonly ledger: Ledger;
	readonly notes: Notes;
	/** Absent without the contact book. */
	readonly contacts?: BookContacts;
}

/** Opens what the run remembers and what earlier ones have remembered. The results of the run go into the `ledger`. */
export function openLedger(context: IExecuteFunctions, run: OpenedRun): OpenLedger {
	const { operation, operationName, host, mode, book, planned, signal, cancel } = run;
	const { executionId, isRetry, runIndex, retryToken, tool } = host;
	const store = createMarkStore(context, planned.length);
	const nodeId = context.getNode().id;
	const saved = context.getContext('node');
	const isTool = tool !== undefined;
	const origin = retryToken === '' ? executionId : retryToken;
	const hasMarks = !operation.repeatable && !isTool;
	const count = new Count(hasMarks ? saved : {}, runIndex);
	const workflow = context.getWorkflow().id ?? '';
	const leaseName = `${workflow} ${nodeId} ${origin}`;
	const isAlone = !isHeld(leaseName);
	const identity = { executionId, isRetry, runIndex, nodeId, isTool, origin, isAlone };
	const notes = new Notes(saved, identity, planned, count);
	const rules = new Rules(planned, context.getTimezone());
	const marks = hasMarks ? new Marks(notes.origin, planned, notes, count, isRetry) : undefined;
	const nameOf = (index: number): string | undefined => {
		const id = notes.idOf(index);
		return id && digest(`${nodeId} ${notes.origin} ${nameOfItem(id)}`);
	};
	// A run that only checks looks up what it would send.
	const ofMode = mode === 'checkOnly' ? 'live' : mode;
	const openContacts = (access: BookAccess): BookContacts => {
		const values = { operation: operationName, workflow, execution: executionId, mode: ofMode };
		const of = { nameOf, recallsTries: hasMarks, isRetry, signal, onWait: createWaitLog(context) };
		return new BookContacts({ book: access, rules, mode: ofMode, values, ...of }, planned);
	};
	const contacts = book && openContacts(book);
	const lease = isRetry && marks && new Lease(store, leaseName);
	const memories = {
		...{ notes, rules, store },
		...(marks && { marks }),
		...(contacts && { contacts }),
		...(lease && { lease }),
	};
	const ledger = new Ledger(planned, { ...memories, isRetry, signal, cancel });
	return { ledger, notes, ...(contacts && { contacts }) };
}

/** Tells n8n's log, once a run, that items wait for rows of the contact book: the run could look as if it hung. */
function createWaitLog(context: IExecuteFunctions): () => void {
	let isTold = false;
	return () => {
		if (isTold) return;
		isTold = true;
		context.logger.info(
			`${context.getNode().name}: waits for "claimed" rows of the contact book, whose items may be being sent at this moment. It looks again every two seconds, until they are settled, ten minutes old, or waited for as long as Max Wait says.`,
		);
	};
}
