import type { IDataObject } from 'n8n-workflow';

import type { Host } from '../host';
import { isObject } from '../values';
import type { Item } from '../items/item';
import type { ItemId } from '../items/subject';
import { failureOf, mayHaveBeenSent, type Outcome } from './outcome';
import { matchNotes } from './matchNotes';
import { isSavedNotes, type Note, type SavedNotes } from './note';
import { shareNotes } from './recentNotes';

const STORE_KEY = 'deliveries';

/** The run of all calls of a tool in an execution; its items are known by their requests alone. */
const TOOL_RUN = 'tool';

/** Which run of which node it is. */
interface RunIdentity extends Pick<Host, 'executionId' | 'isRetry' | 'runIndex' | 'tool'> {
	/** False while another retry of the execution is under way: what that sends is not known. */
	readonly isAlone: boolean;
	/** Names the node in its execution: the same in its retries and theirs, and nowhere else. */
	readonly origin: string;
}

/**
 * The notes of an execution: what it has sent, and what the service answered, over all its tries.
 *
 * They live in n8n's context of the node: kept over Retry On Fail, saved with a failed execution,
 * handed to its retry. An item is noted before it is sent, and removed if the service did nothing.
 * So what was under way counts as unknown. If n8n dies, nothing is saved: see `markShelf.ts`.
 * What only reads (GET) keeps no notes: a retry reads anew.
 *
 * Kept as long as n8n keeps the failed execution; nothing of a run that ended without a failure.
 */
export class Notes {
	/** True if nothing was saved of this run before. */
	readonly isNew: boolean;

	/** True if an earlier try has sent something, or may have. */
	readonly hasEarlier: boolean;

	/**
	 * The items that earlier tries have sent, or may have sent, and that this run lacks, e.g. because
	 * their number was changed: in the order of the try that sent them. Without those that reached
	 * the test number; none for a tool, whose calls differ.
	 */
	readonly missing: readonly Pick<Note, 'index' | 'toNumber'>[];

	/** What n8n saves; other calls of the tool share it. */
	private saved: SavedNotes;

	private readonly runKey: string;

	/** The notes of the items of this run, by index. */
	private readonly byIndex = new Map<number, Note>();

	/**
	 * @param store n8n's context of the node
	 * @param ids of the items by index; `undefined` where the subject cannot be read
	 */
	constructor(
		private readonly store: IDataObject,
		private readonly identity: RunIdentity,
		private readonly items: readonly Item[],
		private readonly ids: (ItemId | undefined)[],
	) {
		const { executionId, isRetry, runIndex, tool, origin } = identity;
		this.runKey = tool ? TOOL_RUN : runIndex;
		const saved = this.runs()[this.runKey];
		const earlier = isSavedNotes(saved) ? saved : undefined;
		this.isNew = earlier === undefined;
		this.saved = earlier ?? { executionId, tries: 0, entries: [] };
		const isOfAnotherExecution = this.saved.executionId !== executionId;
		this.saved.tries = isOfAnotherExecution ? 1 : this.saved.tries + 1;
		this.saved.executionId = executionId;
		// Another retry may have had the same notes, or the same lack of them.
		if (identity.isAlone && (isRetry || isOfAnotherExecution))
			this.saved.entries = shareNotes(`${origin} ${this.runKey}`, this.saved.entries);
		store[STORE_KEY] = { ...this.runs(), [this.runKey]: this.saved };
		this.hasEarlier = this.saved.entries.length > 0;
		this.recognise(this.saved.entries);
		const recognised = new Set(this.byIndex.values());
		const isMissing = (one: Note): boolean => one.isRedirected !== true && !recognised.has(one);
		const missing = tool ? [] : this.saved.entries.filter(isMissing);
		this.missing = missing.sort((one, other) => one.index - other.index);
	}

	/** How often n8n has run the node for these items in this execution, this time included. */
	get tries(): number {
		return this.saved.tries;
	}

	/** Names an item in all tries of its execution; `undefined` if its subject cannot be read. */
	idOf(index: number): ItemId | undefined {
		return this.ids[index];
	}

	/** Gives items of a subject without a note the numbers of rows of earlier tries (rule 5). */
	matchRows(subject: string, rows: readonly ItemId[]): void {
		const open = this.ids.map((id, index) =>
			id?.subject === subject && !this.byIndex.has(index) ? id : undefined,
		);
		const ofSubject = this.saved.entries.filter((one) => one.subject === subject);
		const noted = new Set(ofSubject.map(({ nth }) => nth));
		const found = rows.filter(({ nth }) => !noted.has(nth));
		for (const [index, id] of matchNotes(open, found)) this.ids[index] = id;
	}

	/** Gives the note of an item; `undefined` if not sent, or the service certainly did nothing. */
	of(index: number): Readonly<Note> | undefined {
		return this.byIndex.get(index);
	}

	/** Finds the notes that other calls of the tool have made meanwhile: all of them share a run. */
	refresh(): void {
		if (!this.identity.tool) return;
		// While this one waited, another may have cleared the run or made a new one.
		const saved = this.runs()[this.runKey];
		if (isSavedNotes(saved)) this.saved = saved;
		else this.store[STORE_KEY] = { ...this.runs(), [this.runKey]: this.saved };
		this.recognise(this.saved.entries);
	}

	/** Notes that an item is sent now. */
	noteSending(index: number): void {
		const earlier = this.byIndex.get(index);
		if (earlier) delete earlier.failure;
		const { operation, person, redirectedTo } = this.items[index] ?? {};
		const id = this.ids[index];
		if (earlier || id === undefined || operation?.request.method === 'GET') return;
		const added: Note = {
			...id,
			index,
			...(person && { toNumber: person.toNumber }),
			...(redirectedTo !== undefined && { isRedirected: true }),
		};
		this.byIndex.set(index, added);
		this.saved.entries.push(added);
	}

	/** Notes what became of an item; removes its note if the service did nothing. */
	settle(index: number, outcome: Outcome): void {
		const noted = this.byIndex.get(index);
		if (noted === undefined) return;
		if (!mayHaveBeenSent(outcome)) this.forget(index);
		else if (outcome.kind === 'accepted') noted.accepted = { body: outcome.body, via: outcome.via };
		else noted.failure = failureOf(outcome);
	}

	/** Removes the note of an item, if there is one: it is as if it had never been sent. */
	forget(index: number): void {
		const noted = this.byIndex.get(index);
		const position = noted ? this.saved.entries.lastIndexOf(noted) : -1;
		this.byIndex.delete(index);
		if (position >= 0) this.saved.entries.splice(position, 1);
	}

	/** Removes the notes of the run: no later try needs them. A tool keeps those not accepted. */
	clear(): void {
		const { entries } = this.saved;
		if (this.identity.tool) {
			// In place: retries share them.
			entries.splice(0, entries.length, ...entries.filter((one) => one.accepted === undefined));
			if (entries.length > 0) return;
		}
		const others = Object.entries(this.runs()).filter(([key]) => key !== this.runKey);
		if (others.length > 0) this.store[STORE_KEY] = Object.fromEntries(others);
		else Reflect.deleteProperty(this.store, STORE_KEY);
	}

	/** Finds which of these notes are of this run's items; an item takes the number of its note. */
	private recognise(notes: readonly Note[]): void {
		if (notes.length === 0) return;
		const recognised = new Set(this.byIndex.values());
		const others = notes.filter((one) => !recognised.has(one));
		const open = this.ids.map((id, index) => (this.byIndex.has(index) ? undefined : id));
		for (const [index, note] of matchNotes(open, others)) {
			this.byIndex.set(index, note);
			this.ids[index] = { subject: note.subject, nth: note.nth };
		}
	}

	private runs(): IDataObject {
		const runs = this.store[STORE_KEY];
		return isObject(runs) ? runs : {};
	}
}
