import type { IDataObject } from 'n8n-workflow';

import type { Host } from '../host';
import { isObject } from '../values';
import type { Entry } from './entry';
import { isSavedNotes, type Note, type SavedNotes } from './note';
import { mayHaveBeenSent, type Outcome } from './outcome';
import { countNote, shareNotes } from './recentNotes';

const STORE_KEY = 'deliveries';

/** The run of all calls of a tool in an execution; its items are known by their requests alone. */
const TOOL_RUN = 'tool';

/** Which run of which node it is. */
interface RunIdentity extends Pick<Host, 'executionId' | 'isRetry' | 'runIndex' | 'toolHost'> {
	/** False while another retry of the execution is under way: what that sends is not known. */
	readonly isAlone: boolean;
	/** Names the node in its execution: the same in its retries and theirs, and nowhere else. */
	readonly origin: string;
}

/** Opens the notes of a run in n8n's context of the node, and counts the try. */
export function openNotes(store: IDataObject, identity: RunIdentity): Notes {
	const { executionId, isRetry, isAlone, runIndex, toolHost, origin } = identity;
	const runKey = toolHost ? TOOL_RUN : runIndex;
	const saved = runsIn(store)[runKey];
	const before = isSavedNotes(saved) ? saved : { executionId, tries: 0, entries: [] };
	const isOfAnotherExecution = before.executionId !== executionId;
	// Another retry may have had the same notes, or the same lack of them.
	const isShared = isAlone && (isRetry || isOfAnotherExecution);
	const name = `${origin} ${runKey}`;
	const current = {
		executionId,
		tries: isOfAnotherExecution ? 1 : before.tries + 1,
		entries: isShared ? shareNotes(name, before.entries) : before.entries,
	};
	const notes = new Notes(store, { name, runKey }, current, before === saved);
	notes.save();
	return notes;
}

/**
 * The notes of an execution: what it has sent, and what the service answered, over all its tries.
 * They live in n8n's context of the node: kept over Retry On Fail, saved with a failed execution,
 * handed to its retry; lost if n8n dies. What was under way has neither answer nor failure.
 */
export class Notes {
	/** True if an earlier try has sent something, or may have. */
	readonly hasEarlier: boolean;

	/**
	 * @param run its `name` among all runs of the process, its `runKey` among those of the node
	 * @param saved what n8n saves; other calls of the tool share it
	 * @param wasSaved true if notes of this run were saved before
	 */
	constructor(
		private readonly store: IDataObject,
		private readonly run: { readonly name: string; readonly runKey: string },
		private saved: SavedNotes,
		readonly wasSaved: boolean,
	) {
		this.hasEarlier = saved.entries.length > 0;
	}

	/** How often n8n has run the node for these items in this execution, this time included. */
	get tries(): number {
		return this.saved.tries;
	}

	/** What earlier tries and this one have sent, or may have sent, in the order of sending. */
	get all(): readonly Note[] {
		return this.saved.entries;
	}

	/** Reads what other calls of the tool have noted meanwhile: all of them share a run. */
	refresh(): void {
		// While this one waited, another may have cleared the run or made a new one.
		const saved = runsIn(this.store)[this.run.runKey];
		if (isSavedNotes(saved)) this.saved = saved;
		else this.save();
	}

	/** Notes that an item is sent now. */
	noteSending(entry: Entry): void {
		const { id, item, note } = entry;
		const { index, operation, person, redirectedTo } = item;
		if (note) delete note.failure;
		if (note || id === undefined || operation.request.method === 'GET') return;
		entry.note = {
			...id,
			index,
			...(person && { toNumber: person.toNumber }),
			...(redirectedTo !== undefined && { isRedirected: true }),
		};
		this.saved.entries.push(entry.note);
	}

	/** Notes what became of an item; removes its note if the service did nothing. */
	settle(entry: Entry, outcome: Outcome): void {
		const { note } = entry;
		if (note === undefined) return;
		if (!mayHaveBeenSent(outcome)) {
			this.forget(entry);
			return;
		}
		if (outcome.kind === 'accepted') note.accepted = { body: outcome.body, via: outcome.via };
		if (outcome.kind === 'failed') note.failure = outcome.failure;
		countNote(this.run.name, note);
	}

	/** Removes the note of an item, if there is one: it is as if it had never been sent. */
	forget(entry: Entry): void {
		const place = entry.note ? this.saved.entries.lastIndexOf(entry.note) : -1;
		delete entry.note;
		if (place >= 0) this.saved.entries.splice(place, 1);
	}

	/**
	 * Removes the notes of the run: no later try needs them. A tool keeps those not accepted, in the
	 * list that its other calls have.
	 */
	clear(): void {
		const { entries } = this.saved;
		const { runKey } = this.run;
		if (runKey === TOOL_RUN) {
			entries.splice(0, entries.length, ...entries.filter(({ accepted }) => !accepted));
			if (entries.length > 0) return;
		}
		const runs = Object.entries(runsIn(this.store)).filter(([key]) => key !== runKey);
		if (runs.length > 0) this.store[STORE_KEY] = Object.fromEntries(runs);
		else Reflect.deleteProperty(this.store, STORE_KEY);
	}

	/** Puts the notes where n8n saves them. */
	save(): void {
		this.store[STORE_KEY] = { ...runsIn(this.store), [this.run.runKey]: this.saved };
	}
}

function runsIn(store: IDataObject): IDataObject {
	const runs = store[STORE_KEY];
	return isObject(runs) ? runs : {};
}
