import { digest } from '../../values';
import { waitUnlessAborted } from '../../time/wait';
import type { MarkStore } from './markStore';

/** How long a lease counts at least, in milliseconds, and twice as long at most. */
export const BUCKET = 300_000;

/** What retries of this process hold. */
const held = new Set<string>();

/** True while a retry of this process holds the execution. @param name see {@link Lease} */
export const isHeld = (name: string): boolean => held.has(name);

/**
 * Holds an execution for one retry at a time (rule 3): in the process by a set, over processes by marks in n8n's store, one
 * for each five minutes. The marks of these and of the next five minutes are claimed together, and the next one is added
 * whenever a bucket begins. If n8n dies, the next retry is refused for up to ten minutes.
 *
 * Limit: that of {@link MarkStore.claim}. The marks of the items then keep the retries apart.
 */
export class Lease {
	private marks: string[] = [];

	private readonly over = new AbortController();

	/** @param name names the node and the execution */
	constructor(
		private readonly store: MarkStore,
		private readonly name: string,
	) {}

	/** Takes the lease. `taken`: another retry has it; `unreadable`: n8n cannot tell. Then nothing may be sent. */
	async take(): Promise<'held' | 'taken' | 'unreadable'> {
		if (held.has(this.name)) return 'taken';
		held.add(this.name);
		const bucket = Math.floor(Date.now() / BUCKET);
		const wanted = [this.markOf(bucket), this.markOf(bucket + 1)];
		const before = await this.store.claim(wanted);
		if (before?.length !== 0) {
			held.delete(this.name);
			// Asking has added those that were not there.
			if (before) await this.store.remove(wanted.filter((mark) => !before.includes(mark)));
			return before ? 'taken' : 'unreadable';
		}
		this.marks = wanted;
		// The run may have been stopped in the meantime.
		if (this.over.signal.aborted) await this.release();
		else void this.renew(bucket + 1);
		return 'held';
	}

	/** Lets others have the execution. To be called at the end of the run, whatever became of {@link take}. */
	async release(): Promise<void> {
		this.over.abort();
		if (this.marks.length === 0) return;
		await this.store.remove(this.marks.splice(0));
		held.delete(this.name);
	}

	private async renew(bucket: number): Promise<void> {
		const { signal } = this.over;
		await waitUnlessAborted(bucket * BUCKET - Date.now(), signal);
		if (signal.aborted) return;
		const mark = this.markOf(bucket + 1);
		this.marks.push(mark);
		await this.store.add([mark], [mark]);
		await this.renew(bucket + 1);
	}

	private markOf(bucket: number): string {
		return digest(`lease ${this.name} ${bucket}`);
	}
}
