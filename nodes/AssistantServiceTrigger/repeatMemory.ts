import { createHash } from 'crypto';

/** How long an event is remembered, in milliseconds. */
export const REMEMBERED_FOR = 24 * 3_600_000;

/** How many events of a trigger one process remembers. */
export const MAX_IN_MEMORY = 100_000;

/** How many of them n8n stores with the workflow, for other processes and after a restart. */
export const MAX_STORED = 1_000;

const MINUTE = 60_000;

/**
 * In characters; 60 bits. It is short because n8n reads and writes all stored digests at each delivery. With 100,000
 * known events, a new one is mistaken for one of them with a probability below 10^-12.
 */
const DIGEST_LENGTH = 10;

/** The events of one minute. */
interface Group {
	/** The end of the minute, in minutes since the epoch. */
	readonly minute: number;
	/** Concatenated; each has `DIGEST_LENGTH` characters. */
	digests: string;
}

/** What one process knows of the events of one trigger. */
interface Scope {
	/** The time of each event by its digest. */
	readonly times: Map<string, number>;
	/** The newest events, oldest first. */
	newest: Group[];
	/** The text that was stored or read last. The same text is not parsed again. */
	stored: string;
	/** When an event of the trigger came in last. */
	usedAt: number;
}

/**
 * Recognises events that have started an execution before.
 *
 * The memory of the process covers simultaneous deliveries, which n8n's static data does not. The static data covers
 * deliveries before a restart and in other processes. Each delivery stores everything that the process knows, because
 * simultaneous deliveries overwrite each other's static data.
 */
export class RepeatMemory {
	private readonly scopes = new Map<string, Scope>();

	/**
	 * Whether an event has started an execution in the last 24 hours. The times of stored events are exact to a minute.
	 *
	 * @param name names the trigger, e.g. by workflow and node
	 * @param stored what `remember` returned last, if n8n has kept it
	 * @param now milliseconds since the epoch
	 */
	isKnown(name: string, eventKey: string, stored: unknown, now: number): boolean {
		const scope = this.scopeOf(name, now);
		if (typeof stored === 'string' && stored !== scope.stored) learn(scope, stored, now);
		return isRecent(scope.times.get(digestOf(eventKey)), now);
	}

	/** Remembers an event that has just started an execution, unless it is known. Returns the text to store. */
	remember(name: string, eventKey: string, now: number): string {
		const scope = this.scopeOf(name, now);
		const digest = digestOf(eventKey);
		if (!isRecent(scope.times.get(digest), now)) remember(scope, digest, now);
		scope.stored = scope.newest.map(written).join(' ');
		return scope.stored;
	}

	private scopeOf(name: string, now: number): Scope {
		const known = this.scopes.get(name);
		const scope = known ?? { times: new Map(), newest: [], stored: '', usedAt: now };
		scope.usedAt = now;
		if (known === undefined) {
			// Forgets triggers that were deleted or are no longer used.
			for (const [other, { usedAt }] of this.scopes) {
				if (!isRecent(usedAt, now)) this.scopes.delete(other);
			}
			this.scopes.set(name, scope);
		}
		return scope;
	}
}

/** The absolute difference, so that no event is remembered for longer after the clock was set back. */
const isRecent = (time: number | undefined, now: number): boolean =>
	time !== undefined && Math.abs(now - time) < REMEMBERED_FOR;

function remember(scope: Scope, digest: string, now: number): void {
	const { times, newest } = scope;
	setNewest(times, digest, now);
	const minute = Math.ceil(now / MINUTE);
	const last = newest.at(-1);
	if (last?.minute === minute) last.digests += digest;
	else newest.push({ minute, digests: digest });
	scope.newest = worthStoring(newest, now);
	prune(times, now);
}

/** Adds what another process, or this one before a restart, has stored. */
function learn(scope: Scope, stored: string, now: number): void {
	const { times, newest } = scope;
	const unknown = stored
		.split(' ')
		.map(read)
		.filter((group) => isFresh(group, now))
		.map(({ minute, digests }) => {
			const those = digestsIn(digests).filter((digest) => !isRecent(times.get(digest), now));
			for (const digest of those) setNewest(times, digest, minute * MINUTE);
			return { minute, digests: those.join('') };
		});
	const all = [...unknown, ...newest].sort((one, other) => one.minute - other.minute);
	scope.newest = worthStoring(all, now);
	scope.stored = stored;
	prune(times, now);
}

/** Deletes first, because a Map keeps the position of a key that it has, and `prune` needs the oldest first. */
function setNewest(times: Map<string, number>, digest: string, time: number): void {
	times.delete(digest);
	times.set(digest, time);
}

/** Forgets events that are too old, and the oldest above `MAX_IN_MEMORY`. `times` begins with the oldest. */
function prune(times: Map<string, number>, now: number): void {
	for (const [oldest, time] of times) {
		if (isRecent(time, now) && times.size <= MAX_IN_MEMORY) return;
		times.delete(oldest);
	}
}

const isFresh = ({ minute }: Group, now: number): boolean => isRecent(minute * MINUTE, now);

/** The newest `MAX_STORED` events that are not too old. */
function worthStoring(groups: readonly Group[], now: number): Group[] {
	let room = MAX_STORED * DIGEST_LENGTH;
	return groups
		.toReversed()
		.filter((group) => isFresh(group, now))
		.map(({ minute, digests }) => {
			const kept = room === 0 ? '' : digests.slice(-room);
			room -= kept.length;
			return { minute, digests: kept };
		})
		.filter(({ digests }) => digests !== '')
		.reverse();
}

const written = ({ minute, digests }: Group): string => `${minute.toString(36)}.${digests}`;

function read(group: string): Group {
	const [minute = '', digests = ''] = group.split('.');
	return { minute: parseInt(minute, 36), digests };
}

const DIGESTS = new RegExp(`.{${DIGEST_LENGTH}}`, 'g');

const digestsIn = (digests: string): string[] => digests.match(DIGESTS) ?? [];

/** UTF-16, because UTF-8 would make one character of all unpaired surrogates. */
const digestOf = (eventKey: string): string =>
	createHash('sha256').update(eventKey, 'utf16le').digest('base64url').slice(0, DIGEST_LENGTH);
