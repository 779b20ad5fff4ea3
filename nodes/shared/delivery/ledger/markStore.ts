import { randomUUID } from 'crypto';
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { nameOfNode } from '../../nameOfNode';
import { nodeMarksOf, type RecordMarks } from './nodeMarks';

/** Marks that n8n keeps from the moment they are made, whatever becomes of the execution. */
export interface MarkStore {
	/**
	 * Adds marks, and returns those that were there before; `undefined` if n8n could not keep them.
	 *
	 * @param addLater which of them are added later, if n8n could not keep them now
	 */
	add(
		marks: readonly string[],
		addLater?: readonly string[],
	): Promise<readonly string[] | undefined>;
	/** Adds marks as {@link add} does. Of several processes that claim a mark at the same moment, at most one gets it. */
	claim(marks: readonly string[]): Promise<readonly string[] | undefined>;
	remove(marks: readonly string[]): Promise<void>;
	/** How many there are, of all runs. */
	count(): Promise<number>;
}

/** How many marks of what was sent n8n keeps of a node at most, or twice as many as a run has items, if that is more. */
export const MAX_MARKS = 50_000;

/** The highest bound of each node so far: a run with a lower one would cut off what a longer list has marked. */
const bounds = new Map<string, number>();

/** How many marks are removed at a time: n8n searches all marks for each of them. */
const REMOVED_AT_ONCE = 50;

/**
 * Keeps marks where n8n keeps what it has seen ("deduplication"): in its database, at once. n8n reads and
 * writes all marks of a node together, so executions of one process take turns, and what several of them want to
 * mark at the same moment is written together.
 *
 * In several processes (queue mode) they can overwrite each other's marks. So each process reads its marks back
 * about twice within the next second (or, if n8n keeps so many marks that writing them takes long, within 80 times as
 * long), and writes again what is gone. A mark can be missing for so long.
 *
 * If n8n cannot keep marks, a warning goes to its log.
 */
export function createMarkStore(context: IExecuteFunctions, items: number): MarkStore {
	const node = nameOfNode(context);
	const most = Math.max(MAX_MARKS, 2 * items, bounds.get(node) ?? 0);
	bounds.set(node, most);
	const options: ICheckProcessedOptions = { mode: 'entries', maxEntries: most };
	const count = async (): Promise<number> =>
		await context.helpers.getProcessedDataCount('node', options);
	const attempt = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
		try {
			return await work();
		} catch (error) {
			const reason = error instanceof Error ? error.message : 'unknown';
			// By default n8n prints the text alone.
			context.logger.warn(`n8n could not read or write the marks of what was sent: ${reason}`);
			return otherwise;
		}
	};
	const record: RecordMarks = async (marks) => {
		const { processed } = await context.helpers.checkProcessedAndRecord(marks, 'node', options);
		return processed.map(String);
	};
	/** Of the claims of this run; see {@link NodeMarks.claim}. They are removed with the first that are removed later. */
	const ownMarks: string[] = [];
	// Tried twice: if two processes mark the first items of a node at once, n8n fails one of them.
	const tryToRecord: RecordMarks = async (marks) =>
		await attempt(
			async () => await record(marks).catch(async () => await record(marks)),
			undefined,
		);
	return {
		add: async (marks, addLater = []) => await nodeMarksOf(node).add(marks, addLater, tryToRecord),
		claim: async (marks) => {
			const own = randomUUID();
			ownMarks.push(own);
			return await nodeMarksOf(node).claim(marks, own, tryToRecord);
		},
		// All parts are asked for at once, so that no mark is added in between.
		remove: async (all) => {
			await Promise.all(
				inParts([...all, ...ownMarks.splice(0)]).map(async (some) => {
					const removing = async (): Promise<void> => {
						await context.helpers.removeProcessed(some, 'node', options);
					};
					await nodeMarksOf(node).remove(some, async () => {
						await attempt(async () => {
							await removing().catch(removing);
						}, undefined);
					});
				}),
			);
		},
		count: async () => await attempt(count, 0),
	};
}

const inParts = (marks: readonly string[]): string[][] =>
	Array.from({ length: Math.ceil(marks.length / REMOVED_AT_ONCE) }, (_, part) =>
		marks.slice(part * REMOVED_AT_ONCE, (part + 1) * REMOVED_AT_ONCE),
	);
