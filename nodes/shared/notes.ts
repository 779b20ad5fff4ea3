import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import type { NoteStore } from './delivery/journal';

/** How many notes n8n keeps of a node at least; a run may leave twice as many as it has items. */
const MIN_KEPT = 1000;

/** The work that is going on with the notes of a node. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Keeps notes where n8n keeps what it has seen ("deduplication"): in its database, at once. n8n reads and
 * writes all notes of a node together, so that executions side by side in one process take turns.
 *
 * An n8n that cannot keep them does not hold up the delivery.
 */
export function createNoteStore(context: IExecuteFunctions, items: number): NoteStore {
	const { id: nodeId } = context.getNode();
	const options: ICheckProcessedOptions = {
		mode: 'entries',
		maxEntries: Math.max(MIN_KEPT, 2 * items),
	};
	const attempt = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
		try {
			return await inTurn(nodeId, work);
		} catch (error) {
			const reason = error instanceof Error ? error.message : 'unknown';
			context.logger.warn('n8n could not note what is about to be sent', { reason });
			return otherwise;
		}
	};
	return {
		add: async (notes) =>
			await attempt(async () => {
				const { processed } = await context.helpers.checkProcessedAndRecord(notes, 'node', options);
				return processed.map(String);
			}, []),
		remove: async (notes) => {
			await attempt(() => context.helpers.removeProcessed(notes, 'node', options), undefined);
		},
	};
}

async function inTurn<T>(nodeId: string, work: () => Promise<T>): Promise<T> {
	const before = turns.get(nodeId) ?? Promise.resolve();
	const turn = before.then(work, work);
	turns.set(nodeId, turn);
	try {
		return await turn;
	} finally {
		if (turns.get(nodeId) === turn) turns.delete(nodeId);
	}
}
