import { createHash } from 'crypto';

/** How long an event is remembered, in milliseconds. */
export const REMEMBERED_FOR = 24 * 3_600_000;

/** How many events of a trigger one process remembers. */
export const MAX_IN_MEMORY = 100_000;

/** How many of them n8n stores with the workflow, for other processes and for after a restart. */
export const MAX_STORED = 1_000;

const DIGEST_LENGTH = 12;
const TIME_LENGTH = 9;
/** A digest, a dot, a time, a space. */
const ENTRY_LENGTH = DIGEST_LENGTH + TIME_LENGTH + 2;

/** What one process knows of the events of one trigger. */
interface Scope {
	/** The time of each event by its digest. */
	readonly times: Map<string, number>;
	/** The newest events as they are stored, oldest first. */
	newest: string;
}

/**
 * Recognises events that have started an execution before.
 *
 * The memory of the process sees deliveries of the same moment, which n8n's static data does not; the
 * static data sees those before a restart or in another process. Each delivery stores what the process
 * knows, because deliveries of the same moment overwrite each other's static data.
 */
export class RepeatMemory {
	private readonly scopes = new Map<string, Scope>();

	/**
	 * Whether an event has started an execution in the last 24 hours.
	 *
	 * @param name names the trigger, e.g. by workflow and node
	 * @param stored what `remember` gave the last time, as far as n8n kept it
	 * @param now milliseconds since the epoch
	 */
	isKnown(name: string, eventKey: string, stored: unknown, now: number): boolean {
		const scope = this.scopeOf(name);
		if (typeof stored === 'string' && stored !== scope.newest) learn(scope, stored, now);
		const before = scope.times.get(digestOf(eventKey));
		return before !== undefined && now - before < REMEMBERED_FOR;
	}

	/** Remembers an event that has started an execution now. Gives what is to be stored. */
	remember(name: string, eventKey: string, now: number): string {
		const scope = this.scopeOf(name);
		remember(scope, digestOf(eventKey), now);
		return scope.newest;
	}

	private scopeOf(name: string): Scope {
		const scope = this.scopes.get(name) ?? { times: new Map(), newest: '' };
		this.scopes.set(name, scope);
		return scope;
	}
}

function remember(scope: Scope, digest: string, now: number): void {
	const { times } = scope;
	times.delete(digest);
	times.set(digest, now);
	scope.newest = newestOf(`${scope.newest}${entryOf(digest, now)}`);
	for (const [oldest, time] of times) {
		if (now - time < REMEMBERED_FOR && times.size <= MAX_IN_MEMORY) return;
		times.delete(oldest);
	}
}

/** Adds what another process or an earlier life of this one has stored. */
function learn(scope: Scope, stored: string, now: number): void {
	const unknown = stored.split(' ').flatMap((entry) => {
		const digest = entry.slice(0, DIGEST_LENGTH);
		if (scope.times.has(digest)) return [];
		const at = parseInt(entry.slice(DIGEST_LENGTH + 1), 36);
		const isNews = now - at < REMEMBERED_FOR;
		if (!isNews) return [];
		scope.times.set(digest, at);
		return entryOf(digest, at);
	});
	scope.newest = newestOf(`${unknown.join('')}${scope.newest}`);
}

const entryOf = (digest: string, time: number): string =>
	`${digest}.${time.toString(36).padStart(TIME_LENGTH, '0')} `;

const newestOf = (entries: string): string => entries.slice(-MAX_STORED * ENTRY_LENGTH);

/** 72 bits: short, and no two events are taken for one. */
const digestOf = (eventKey: string): string =>
	createHash('sha256').update(eventKey).digest('base64url').slice(0, DIGEST_LENGTH);
