import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import type { NoteStore } from './journal';

/**
 * How many notes n8n keeps of a node at least; a run may leave twice as many as it has items. Always the same for
 * all runs of a node: n8n cuts off what is beyond the bound of the call at hand, whosever notes those are.
 */
export const MAX_NOTES = 50_000;

/** How many notes are taken back at a time: n8n looks for each of them among all. */
const REMOVED_AT_ONCE = 50;

/** Notes that a run wants to add. */
interface Request {
	readonly notes: readonly string[];
	readonly settle: (before: string[]) => void;
}

/** The work with the notes of one node, one piece after the other. */
interface Desk {
	readonly requests: Request[];
	turn: Promise<unknown>;
}

const desks = new Map<string, Desk>();

/**
 * Keeps notes where n8n keeps what it has seen ("deduplication"): in its database, at once. n8n reads and
 * writes all notes of a node together, so executions of one process take turns, and what several of them want to
 * note at the same moment is written together.
 *
 * In several processes (queue mode) they can overwrite each other's notes. An n8n that cannot keep notes does not
 * hold up the delivery: a warning goes to its log.
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
	const record = async (notes: string[]): Promise<string[]> =>
		await attempt(async () => {
			const { processed } = await context.helpers.checkProcessedAndRecord(notes, 'node', options);
			return processed.map(String);
		}, []);
	return {
		add: async (notes) =>
			await new Promise((settle) => {
				const { requests } = deskOf(node);
				requests.push({ notes, settle });
				void inTurn(node, async () => {
					await recordAll(requests.splice(0), record);
				});
			}),
		remove: async (notes) => {
			for (let from = 0; from < notes.length; from += REMOVED_AT_ONCE) {
				const some = notes.slice(from, from + REMOVED_AT_ONCE);
				await inTurn(node, async () => {
					await attempt(() => context.helpers.removeProcessed(some, 'node', options), undefined);
				});
			}
		},
		count: async () =>
			await attempt(() => context.helpers.getProcessedDataCount('node', options), 0),
	};
}

function deskOf(node: string): Desk {
	const desk = desks.get(node) ?? { requests: [], turn: Promise.resolve() };
	desks.set(node, desk);
	return desk;
}

async function inTurn(node: string, work: () => Promise<void>): Promise<void> {
	const desk = deskOf(node);
	const turn = desk.turn.then(work);
	desk.turn = turn;
	await turn;
	if (desk.turn === turn) desks.delete(node);
}

/** Records what several runs have asked for. Of two that note the same, the second finds it noted. */
async function recordAll(
	requests: readonly Request[],
	record: (notes: string[]) => Promise<string[]>,
): Promise<void> {
	if (requests.length === 0) return;
	const known = new Set(await record([...new Set(requests.flatMap(({ notes }) => notes))]));
	for (const { notes, settle } of requests) {
		settle(notes.filter((note) => known.has(note)));
		for (const note of notes) known.add(note);
	}
}
