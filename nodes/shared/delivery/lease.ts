import { waitUnlessAborted } from '../time/wait';
import { digest } from '../values';
import type { MarkStore } from './markStore';

/** How long a lease counts at least, in milliseconds, and twice as long at most. */
export const BUCKET = 300_000;

/** The executions that retries of this process hold; each until its retry ends. */
export const leases = new Set<string>();

/**
 * Holds an execution for one retry at a time (rule 3): in the process by a set, over processes by
 * marks in n8n's store, one per bucket of five minutes. This bucket's and the next are acquired
 * together; each new bucket adds one. If n8n dies, the next retry is refused for up to ten minutes.
 */
export class Lease {
	private marks: string[] = [];

	private readonly over = new AbortController();

	/** @param name names the node and the execution */
	constructor(
		private readonly store: MarkStore,
		private readonly name: string,
	) {}

	/** Takes the lease. `busy`: another has it; `unreadable`: n8n cannot tell. Neither may send. */
	async take(): Promise<'held' | 'busy' | 'unreadable'> {
		if (leases.has(this.name)) return 'busy';
		leases.add(this.name);
		const bucket = Math.floor(Date.now() / BUCKET);
		const wanted = [this.markOf(bucket), this.markOf(bucket + 1)];
		const answer = await this.store.acquire(wanted);
		if (answer === 'held') this.marks = wanted;
		else leases.delete(this.name);
		// The run may have been stopped in the meantime.
		if (this.over.signal.aborted) await this.release();
		else if (answer === 'held') void this.renew(bucket + 1);
		return answer;
	}

	/** Lets others have the execution at the end of the run, whatever became of {@link take}. */
	async release(): Promise<void> {
		this.over.abort();
		if (this.marks.length === 0) return;
		await this.store.remove(this.marks.splice(0));
		leases.delete(this.name);
	}

	private async renew(bucket: number): Promise<void> {
		await waitUnlessAborted(bucket * BUCKET - Date.now(), this.over.signal);
		if (this.over.signal.aborted) return;
		const mark = this.markOf(bucket + 1);
		this.marks.push(mark);
		await this.store.add([mark]);
		await this.renew(bucket + 1);
	}

	private markOf(bucket: number): string {
		return digest(`lease ${this.name} ${bucket}`);
	}
}
