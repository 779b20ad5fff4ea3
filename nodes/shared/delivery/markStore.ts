import type { Host } from '../host';
import { ProcessState } from '../processState';
import { waitUnlessAborted } from '../time/wait';
import { MarkWriter, type Deduplication, type FoundMarks, type MarkTable } from './markWriter';

/** How many items that need marks a run may have: all of them have to be found again. */
export const MAX_MARKED_ITEMS = 20_000;

/** How long n8n may take, in milliseconds. Then it counts as failed, whatever it still does. */
const ANSWERED_WITHIN = 30_000;

/** By node. */
const writers = new ProcessState<MarkWriter>(1_000, ({ isIdle }) => isIdle);

/**
 * The marks of a node where n8n keeps what it has seen ("deduplication"): in its database, at once,
 * whatever becomes of the execution. If n8n cannot keep marks, its log gets a warning.
 */
export class MarkStore implements MarkTable {
	private readonly writer: MarkWriter;

	constructor(
		private readonly host: Pick<Host, 'nodeName' | 'logger'>,
		private readonly deduplication: Deduplication,
	) {
		this.writer = writers.get(host.nodeName, () => new MarkWriter());
	}

	/** Adds marks; gives those there before. To send, what n8n could not keep is added later. */
	async add(add: readonly string[], isSending = true): Promise<FoundMarks> {
		return await this.writer.do({ store: this, add, isSending });
	}

	/** Adds marks unless one is there. Those who ask at the same moment get them all or none. */
	async acquire(acquire: readonly string[]): Promise<'held' | 'busy' | 'unreadable'> {
		const earlierMarks = await this.writer.do({ store: this, acquire });
		if (earlierMarks === undefined) return 'unreadable';
		if (earlierMarks.size === 0) return 'held';
		// Asking has added those that were not there.
		await this.remove(acquire.filter((mark) => !earlierMarks.has(mark)));
		return 'busy';
	}

	async remove(remove: readonly string[]): Promise<void> {
		if (remove.length > 0) await this.writer.do({ store: this, remove });
	}

	async attempt<T>(work: (n8n: Deduplication) => Promise<T>) {
		const over = new AbortController();
		let isRepeated = false;
		// If two processes mark the first items of a node at once, n8n fails one of them.
		const call = work(this.deduplication).catch(async () => {
			isRepeated = true;
			return await work(this.deduplication);
		});
		const late = waitUnlessAborted(ANSWERED_WITHIN, over.signal).then(() => {
			if (!over.signal.aborted) void this.writer.follow(this, call);
			throw new Error(`no answer for ${ANSWERED_WITHIN / 1_000} seconds`);
		});
		try {
			return { answer: await Promise.race([call, late]), isRepeated };
		} catch (error) {
			const reason = error instanceof Error ? error.message : 'unknown';
			this.host.logger.warn(`n8n could not read or write the marks of what was sent: ${reason}`);
			return { isRepeated };
		} finally {
			over.abort();
		}
	}
}
