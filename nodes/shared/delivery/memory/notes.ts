import { sleep, type ICheckProcessedOptions, type IExecuteFunctions } from 'n8n-workflow';

import type { NoteStore } from './journal';

/**
 * How many notes n8n keeps of a node at least; a run may leave twice as many as it has items. Always the same for
 * all runs of a node: n8n cuts off what is beyond the bound of the call at hand, whosever notes those are.
 */
export const MAX_NOTES = 50_000;

/** How many notes are taken back at a time: n8n looks for each of them among all. */
const REMOVED_AT_ONCE = 50;

/** When notes are read back, in milliseconds: later than another process takes to read and write the row. */
const READ_BACK_AFTER = 250;

/** How often a note is read back at most, and written again if it is gone. */
const MAX_READ_BACKS = 10;

/** Adds notes to n8n's store of a node, and returns those that were there before. */
type Record = (notes: string[]) => Promise<string[]>;

/** Notes that are to be added. */
interface Request {
	readonly notes: readonly string[];
	readonly settle: (before: ReadonlySet<string>) => void;
}

/** The work of this process with the notes of one node, one piece after the other. */
class NodeNotes {
	/** The notes that another process may still overwrite, and how often they were read back. */
	private readonly unconfirmed = new Map<string, number>();

	private readonly requests: Request[] = [];

	private turn: Promise<unknown> = Promise.resolve();

	private pending = 0;

	private isReadingBack = false;

	/** @param onIdle called when nothing is left to do */
	constructor(private readonly onIdle: () => void) {}

	/** Adds notes, and returns those that were there before. They are read back later. */
	async add(notes: readonly string[], record: Record): Promise<string[]> {
		const found = await this.request(notes, record);
		const before = new Set(notes.filter((note) => found.has(note) || this.unconfirmed.has(note)));
		for (const note of notes) if (!before.has(note)) this.unconfirmed.set(note, 0);
		if (!this.isReadingBack) void this.readBack(record);
		return [...before];
	}

	/** Takes notes back, after what was asked for before. */
	async remove(notes: readonly string[], work: () => Promise<void>): Promise<void> {
		for (const note of notes) this.unconfirmed.delete(note);
		await this.inTurn(work);
	}

	/** Looks for the notes that were added, and writes those again that another process has overwritten. */
	private async readBack(record: Record): Promise<void> {
		this.isReadingBack = true;
		while (this.unconfirmed.size > 0) {
			const written = [...this.unconfirmed.keys()];
			await sleep(READ_BACK_AFTER);
			const kept = written.filter((note) => this.unconfirmed.has(note));
			if (kept.length === 0) continue;
			const found = await this.request(kept, record);
			for (const note of kept) this.confirm(note, found.has(note));
		}
		this.isReadingBack = false;
		this.checkIdle();
	}

	private confirm(note: string, isThere: boolean): void {
		const times = this.unconfirmed.get(note);
		if (times === undefined) return;
		if (isThere || times + 1 === MAX_READ_BACKS) this.unconfirmed.delete(note);
		else this.unconfirmed.set(note, times + 1);
	}

	/** What several ask for at the same moment is written together. */
	private async request(notes: readonly string[], record: Record): Promise<ReadonlySet<string>> {
		return await new Promise((settle) => {
			this.requests.push({ notes, settle });
			void this.inTurn(async () => {
				await recordAll(this.requests.splice(0), record);
			});
		});
	}

	private async inTurn(work: () => Promise<void>): Promise<void> {
		this.pending++;
		this.turn = this.turn.then(work);
		await this.turn;
		this.pending--;
		this.checkIdle();
	}

	private checkIdle(): void {
		if (this.pending === 0 && !this.isReadingBack) this.onIdle();
	}
}

/** Records what several have asked for. Of two that note the same, the second finds it noted. */
async function recordAll(requests: readonly Request[], record: Record): Promise<void> {
	if (requests.length === 0) return;
	const known = new Set(await record([...new Set(requests.flatMap(({ notes }) => notes))]));
	for (const { notes, settle } of requests) {
		settle(new Set(notes.filter((note) => known.has(note))));
		for (const note of notes) known.add(note);
	}
}

const ofNodes = new Map<string, NodeNotes>();

function notesOf(node: string): NodeNotes {
	const forget = () => {
		ofNodes.delete(node);
	};
	const notes = ofNodes.get(node) ?? new NodeNotes(forget);
	ofNodes.set(node, notes);
	return notes;
}

/**
 * Keeps notes where n8n keeps what it has seen ("deduplication"): in its database, at once. n8n reads and
 * writes all notes of a node together, so executions of one process take turns, and what several of them want to
 * note at the same moment is written together.
 *
 * In several processes (queue mode) they can overwrite each other's notes. So each process reads its notes back
 * {@link READ_BACK_AFTER} later, and writes again what is gone: a note can be missing for twice that time.
 *
 * An n8n that cannot keep notes does not hold up the delivery: a warning goes to its log.
 */
export function createNoteStore(context: IExecuteFunctions, items: number): NoteStore {
	const node = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	const options: ICheckProcessedOptions = {
		mode: 'entries',
		maxEntries: Math.max(MAX_NOTES, 2 * items),
	};
	const attempt = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
		try {
			return await work();
		} catch (error) {
			const reason = error instanceof Error ? error.message : 'unknown';
			context.logger.warn('n8n could not note what is about to be sent', { reason });
			return otherwise;
		}
	};
	const record: Record = async (notes) => {
		const { processed } = await context.helpers.checkProcessedAndRecord(notes, 'node', options);
		return processed.map(String);
	};
	return {
		add: async (notes) =>
			await notesOf(node).add(
				notes,
				// A second try: of two processes that note a node's first items at once, n8n fails one.
				async (all) =>
					await attempt(async () => await record(all).catch(async () => await record(all)), []),
			),
		remove: async (notes) => {
			for (let from = 0; from < notes.length; from += REMOVED_AT_ONCE) {
				const some = notes.slice(from, from + REMOVED_AT_ONCE);
				await notesOf(node).remove(some, async () => {
					await attempt(() => context.helpers.removeProcessed(some, 'node', options), undefined);
				});
			}
		},
		count: async () =>
			await attempt(() => context.helpers.getProcessedDataCount('node', options), 0),
	};
}
