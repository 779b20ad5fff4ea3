import { createHash } from 'crypto';

/** How long an event is remembered, in milliseconds. */
export const REMEMBERED_FOR = 24 * 3_600_000;

/** How many events of a trigger one process remembers. */
export const MAX_IN_MEMORY = 100_000;

/** How many of them n8n stores with the workflow, for other processes and for after a restart. */
export const MAX_STORED = 1_000;

const MINUTE = 60_000;

/** 60 bits: n8n reads and writes what is stored for each event, and still no two events are taken for one. */
const DIGEST_LENGTH = 10;

/** The events of one minute. */
interface Group {
	/** The end of the minute, in minutes since the epoch. */
	readonly minute: number;
	/** One after the other. */
	digests: string;
}

/** What one process knows of the events of one trigger. */
interface Scope {
	/** The time of each event by its digest. */
	readonly times: Map<string, number>;
	/** The newest events, oldest first. */
	newest: Group[];
	/** These as they are stored, so that they are not read again. */
	stored: string;
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
		if (typeof stored === 'string' && stored !== scope.stored) learn(scope, stored, now);
		const before = scope.times.get(digestOf(eventKey));
		return before !== undefined && now - before < REMEMBERED_FOR;
	}

	/** Remembers an event that has started an execution now. Gives what is to be stored. */
	remember(name: string, eventKey: string, now: number): string {
		const scope = this.scopeOf(name);
		remember(scope, digestOf(eventKey), now);
		scope.stored = scope.newest.map(written).join(' ');
		return scope.stored;
	}

	private scopeOf(name: string): Scope {
		const scope = this.scopes.get(name) ?? { times: new Map(), newest: [], stored: '' };
		this.scopes.set(name, scope);
		return scope;
	}
}

function remember(scope: Scope, digest: string, now: number): void {
	const { times, newest } = scope;
	times.delete(digest);
	times.set(digest, now);
	const minute = Math.ceil(now / MINUTE);
	const last = newest.at(-1);
	if (last?.minute === minute) last.digests += digest;
	else newest.push({ minute, digests: digest });
	scope.newest = worthStoring(newest, now);
	for (const [oldest, time] of times) {
		if (now - time < REMEMBERED_FOR && times.size <= MAX_IN_MEMORY) return;
		times.delete(oldest);
	}
}

/** Adds what another process or an earlier life of this one has stored. */
function learn(scope: Scope, stored: string, now: number): void {
	const { times, newest } = scope;
	const unknown = stored
		.split(' ')
		.map(read)
		.map(({ minute, digests }) => {
			const those = digestsIn(digests).filter((digest) => !times.has(digest));
			if (isFresh(minute, now)) for (const digest of those) times.set(digest, minute * MINUTE);
			return { minute, digests: those.join('') };
		});
	scope.newest = worthStoring([...unknown, ...newest], now);
	scope.stored = stored;
}

const isFresh = (minute: number, now: number): boolean => now - minute * MINUTE < REMEMBERED_FOR;

/** The newest events that are not too old. */
function worthStoring(groups: readonly Group[], now: number): Group[] {
	let room = MAX_STORED * DIGEST_LENGTH;
	return groups
		.toReversed()
		.filter(({ minute }) => isFresh(minute, now))
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

const digestOf = (eventKey: string): string =>
	createHash('sha256').update(eventKey).digest('base64url').slice(0, DIGEST_LENGTH);
