import type { ApiLimit } from './book/apiLimit';
import type { Book } from './book/book';
import type { AnyContext } from './book/bookTransport';
import type { Asking } from './book/tableApi';
import { Gate } from './delivery/gate';
import type { MarkWriter } from './delivery/markStore';
import type { Note } from './delivery/note';

/** Values by name, of which those stay that were used last. */
export class Kept<T> {
	private readonly values = new Map<string, T>();

	/**
	 * @param most how many are kept
	 * @param isIdle false for a value that is kept beyond that, since it is in use
	 */
	constructor(
		private readonly most: number,
		private readonly isIdle: (value: T) => boolean = () => true,
	) {}

	/** Gives the value of this name; a new one if there is none. */
	get(name: string, make: () => T): T {
		const value = this.values.get(name) ?? make();
		this.values.delete(name);
		this.values.set(name, value);
		for (const [oldest, one] of this.values) {
			if (this.values.size <= this.most) break;
			if (one !== value && this.isIdle(one)) this.values.delete(oldest);
		}
		return value;
	}
}

/**
 * What the node keeps in a process of n8n from one execution to the next, but for caches of pure
 * functions. None of it has to survive: executions share what they learn, and keep apart.
 */

/** What the service has been seen to take, by address and API key. */
const gates = new Kept<Gate>(100, ({ isIdle }) => isIdle);

/** Gives the gate of this name, of all runs whose requests the service counts together. */
export const gateOf = (name: string): Gate => gates.get(name, () => new Gate());

/** By node. */
export const markWriters = new Kept<MarkWriter>(1_000, ({ isIdle }) => isIdle);

/** The executions that retries of this process hold; each until its retry ends. */
export const leases = new Set<string>();

/** What ends the timers of executions that wait, by the name of the wait, until it is over. */
export const waits = new Map<string, AbortController>();

/** Who does what is left for later: the newest run alone, since each keeps its data in memory. */
export const newest: { context?: AnyContext } = {};

/** What resumes executions now, by their address, until n8n answers; true if they go on. */
export const resumes = new Map<string, Promise<boolean>>();

/** How many notes of retries are kept, of all executions. */
export const MOST_NOTES = 20_000;

/** Of retried executions, the least recently retried first. */
export const recentNotes = new Map<string, Note[]>();

/** What n8n's limits of its API are known to be, by key. */
export const apiLimits = new Kept<ApiLimit>(100);

/** By key and ID of the table. */
export const books = new Kept<Book>(100);

/** What opens them, by credential: executions that begin at once ask together. */
export const bookOpeners = new Kept<(of: Asking) => Promise<Book>>(100);
