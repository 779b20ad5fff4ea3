import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { openBook, type Book } from '../book/book';
import { createBookSend } from '../book/bookTransport';
import type { Operation } from '../declaration/operation';
import type { Host } from '../host';
import type { Rules } from '../rules/rules';
import { leases } from '../processState';
import type { BookCredential } from '../items/credential';
import type { Item } from '../items/item';
import { doneOrAborted } from '../time/wait';
import type { Waiting } from '../waiting/resume';
import { BookShelf, type BookAccess } from './bookShelf';
import { Count } from './count';
import { notLookedUp, retryUnderWay } from './failures';
import { Lease } from './lease';
import { MarkShelf } from './markShelf';
import { MarkStore } from './markStore';
import { Memory } from './memory';
import { Notes } from './notes';
import { NO_SHELF, type Shelf } from './shelf';

/** A run of the node. */
interface OpenedRun {
	readonly operation: Operation;
	/** E.g. `call.place`. */
	readonly operationName: string;
	readonly host: Host;
	/** Of the credential: contacts of one mode do not count for another. */
	readonly mode: string;
	/** Absent if the credential has no contact book, or the operation no use for it. */
	readonly book?: BookAccess;
	/** What the rows of a run that waits for the ends of its calls hold. */
	readonly waiting?: Waiting;
	readonly items: readonly Item[];
	readonly rules: Rules;
	/** Aborted when nothing more is to start. */
	readonly signal: AbortSignal;
	/** Aborted when the execution is cancelled. */
	readonly cancel?: AbortSignal;
}

/** True if an operation needs a memory that survives the death of n8n: after it, an agent begins a new conversation. */
export const survivesCrash = ({ repeatable }: Operation, { tool }: Host): boolean =>
	!repeatable && tool === undefined;

/** Opens what a run remembers and what earlier ones have remembered, and in a retry takes the lease of its execution. */
export async function openMemory(
	context: IExecuteFunctions,
	run: OpenedRun,
): Promise<{ memory: Memory; notes: Notes; isTaken: boolean }> {
	const { operation, host, items, mode, signal, cancel } = run;
	const { executionId, isRetry, runIndex, retryToken, tool } = host;
	const nodeId = context.getNode().id;
	const saved = context.getContext('node');
	const origin = retryToken === '' ? executionId : retryToken;
	const isMarked = survivesCrash(operation, host);
	const store = new MarkStore(context);
	const leaseName = `${context.getWorkflow().id ?? ''} ${nodeId} ${origin}`;
	const isAlone = !leases.has(leaseName);
	const needsLease = isRetry && isMarked && mode !== 'checkOnly';
	const lease = needsLease ? new Lease(store, leaseName) : undefined;
	const taken = lease && (await doneOrAborted(lease.take(), cancel));
	const barred =
		taken === 'taken' ? retryUnderWay() : taken === 'unreadable' ? notLookedUp() : undefined;

	const count = new Count(isMarked ? saved : {}, runIndex);
	const identity = { executionId, isRetry, runIndex, nodeId, origin, isAlone };
	const isTool = tool !== undefined;
	const notes = new Notes(saved, { ...identity, isTool }, items, count.number(items));
	const shelf = openShelf(context, run, { store, count, notes, origin, isMarked });
	const parts = { notes, shelf, count, rules: run.rules, isRetry, signal, cancel };
	const memory = new Memory({ ...parts, ...(lease && { lease }), ...(barred && { barred }) });
	return { memory, notes, isTaken: taken === 'taken' };
}

interface Opened {
	readonly store: MarkStore;
	readonly count: Count;
	readonly notes: Notes;
	readonly origin: string;
	readonly isMarked: boolean;
}

function openShelf(
	context: IExecuteFunctions,
	{ operationName, host, book, waiting, rules, items, mode }: OpenedRun,
	{ store, count, notes, origin, isMarked }: Opened,
): Shelf {
	const { executionId, isRetry, tool } = host;
	if (book === undefined) {
		const idOf = notes.idOf.bind(notes);
		return isMarked ? new MarkShelf({ store, origin, idOf, isRetry }) : NO_SHELF;
	}
	// A run that only checks looks up what it would send.
	const ofMode = mode === 'checkOnly' ? 'live' : mode;
	const workflow = context.getWorkflow().id ?? '';
	return new BookShelf({
		...{ book, rules, notes, items, isRetry },
		isTaken: (id) => count.isTaken(id),
		origin: `${context.getNode().id} ${origin}`,
		mode: ofMode,
		values: {
			operation: operationName,
			workflow,
			execution: executionId,
			mode: ofMode,
			...waiting,
		},
		isTool: tool !== undefined,
	});
}

/** The contact book of a credential, for a run of the node: it is opened once, when the run asks first. */
export function bookOfRun(
	context: IExecuteFunctions,
	credential: ICredentialDataDecryptedObject,
	of: BookCredential,
): BookAccess {
	const send = createBookSend(context, credential, of);
	let opening: Promise<Book> | undefined;
	let isTold = false;
	const book = async (): Promise<Book> => await (opening ??= openBook(send, of));
	return {
		look: async (asked) => await (await book()).look(send, asked),
		claim: async (claiming) => await (await book()).claim(send, claiming),
		settle: async (claim, values) => {
			const problem = await (await book()).settle(send, claim, values);
			if (problem === undefined || isTold) return;
			isTold = true;
			context.logger.warn(
				`${context.getNode().name}: what became of contacts could not be written into the contact book, where they stay "claimed". ${problem.message}`,
			);
		},
	};
}
