import { doneOrAborted } from '../time/wait';
import { BookShelf } from './bookShelf';
import { earlierByRow } from './contactRow';
import { earlierByNote, type Entry } from './entry';
import { notLookedUp, retryUnderWay, tooManyItems } from './deliveryFailures';
import { identify } from './identify';
import { Lease, leases } from './lease';
import { MarkShelf } from './markShelf';
import { MarkStore, MAX_MARKED_ITEMS } from './markStore';
import { Memory } from './memory';
import { openNotes } from './notes';
import { Rounds } from './rounds';
import type { Run } from './run';
import type { Shelf } from './shelf';

/**
 * Opens what this run and earlier ones remember. A retry takes its lease, where it needs one, and
 * reads what the book knows of its people; then it is said, once, who is who.
 *
 * @returns `missing`: the notes that stand for none of the items
 */
export async function openMemory(run: Run) {
	const { host, items, checkedBy, book, cancelSignal, saved } = run;
	const { isRetry, runIndex, retryToken, executionId, toolHost } = host;
	const origin = `${host.node.id} ${retryToken || executionId}`;
	// After the death of n8n, an agent begins a new conversation.
	const survivesCrash = !run.operation.repeatable && toolHost === undefined;
	const needsMarks = survivesCrash && book === undefined;
	const store = new MarkStore(host, run.deduplication);
	const isAlone = !leases.has(origin);
	const needsLease = isRetry && survivesCrash && checkedBy === undefined;
	const lease = needsLease ? new Lease(store, origin) : undefined;
	const answer = lease && (await doneOrAborted(lease.take(), cancelSignal));
	const isTooLong = needsMarks && items.length > MAX_MARKED_ITEMS;
	const barredBy =
		(answer === 'busy' && retryUnderWay()) ||
		(answer === 'unreadable' && notLookedUp()) ||
		(isTooLong && tooManyItems(items.length, MAX_MARKED_ITEMS)) ||
		undefined;

	const isMarked = needsMarks && checkedBy === undefined;
	const marks = isMarked ? new MarkShelf({ store, origin, isRetry }) : undefined;
	const shelf: Shelf | undefined = book ? new BookShelf({ run, book, origin }) : marks;
	const recalling = isRetry && !barredBy ? shelf?.recall?.(items) : undefined;
	const rows = (recalling && (await doneOrAborted(recalling, cancelSignal))) ?? [];

	const rounds = new Rounds(survivesCrash ? saved : {}, runIndex);
	const notes = openNotes(saved, { ...host, origin, isAlone });
	const { isTaken } = rounds;
	const { identities, missing } = identify(items, { isTaken, notes: notes.all, rows });
	const entries = items.map((item, index): Entry => {
		const { id, note, row } = identities[index] ?? {};
		const byNote = earlierByNote(item, note);
		const byRow = earlierByRow(item, row);
		const rowKnowsMore = byNote.kind === 'nothing' || byRow.kind === 'accepted';
		const earlier = byNote.kind !== 'accepted' && rowKnowsMore ? byRow : byNote;
		if (earlier.kind !== 'nothing') run.rules.keepPlace(item);
		return { item, earlier, ...(id && { id }), ...(note && { note }) };
	});
	const memory = new Memory({ run, entries, notes, rounds, shelf, lease, barredBy });
	return { memory, notes, missing: toolHost ? [] : missing };
}
