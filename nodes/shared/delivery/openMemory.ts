import { readKept } from '../host';
import { leases } from '../processState';
import { doneOrAborted } from '../time/wait';
import { BookShelf } from './bookShelf';
import { Count } from './count';
import { notLookedUp, retryUnderWay, tooManyItems } from './failures';
import { Lease } from './lease';
import { MarkShelf } from './markShelf';
import { MarkStore, MAX_MARKED_ITEMS } from './markStore';
import { Memory } from './memory';
import { Notes } from './notes';
import type { Run } from './run';

/** Opens what this run and earlier ones remember. A retry takes its lease, where it needs one. */
export async function openMemory(run: Run): Promise<{ memory: Memory; notes: Notes }> {
	const { context, host, items, mode, book, cancel } = run;
	const { isRetry, runIndex, retryToken, executionId, tool } = host;
	const saved = readKept(context);
	const origin = `${context.getNode().id} ${retryToken || executionId}`;
	// After the death of n8n, an agent begins a new conversation.
	const survivesCrash = !run.operation.repeatable && tool === undefined;
	const needsMarks = survivesCrash && book === undefined;
	const store = new MarkStore(context);
	const isAlone = !leases.has(origin);
	const needsLease = isRetry && survivesCrash && mode.kind !== 'checkOnly';
	const lease = needsLease ? new Lease(store, origin) : undefined;
	const answer = lease && (await doneOrAborted(lease.take(), cancel));
	const isTooLong = needsMarks && items.length > MAX_MARKED_ITEMS;
	const barred =
		(answer === 'busy' && retryUnderWay()) ||
		(answer === 'unreadable' && notLookedUp()) ||
		(isTooLong && tooManyItems(items.length, MAX_MARKED_ITEMS)) ||
		undefined;

	const count = new Count(survivesCrash ? saved : {}, runIndex);
	const notes = new Notes(saved, { ...host, origin, isAlone }, items, count.number(items));
	const isMarked = needsMarks && mode.kind !== 'checkOnly';
	const marks = isMarked ? new MarkShelf({ store, notes, origin, isRetry }) : undefined;
	const shelf = book ? new BookShelf({ run, book, notes, count, origin }) : marks;
	return { memory: new Memory({ run, notes, count, shelf, lease, barred }), notes };
}
