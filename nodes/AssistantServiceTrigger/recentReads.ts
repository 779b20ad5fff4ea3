/** How long a value is served from the cache after it was read, in milliseconds. */
export const FRESH_FOR = 5_000;

interface Read<T> {
	readonly startedAt: number;
	readonly value: Promise<T>;
}

/**
 * A cache of reads: deliveries within `FRESH_FOR` share one read.
 *
 * Reading a credential is costly: n8n queries its database, decrypts it, and evaluates its expressions in an isolate.
 */
export class RecentReads<T> {
	private readonly reads = new Map<string, Read<T>>();

	/**
	 * The value, read now or a moment ago. One that does not pass the test is never served from the cache: it is
	 * read again first, so a rotated secret works immediately. The old one passes for up to `FRESH_FOR` more.
	 *
	 * @param name the key of the cache: names the value that `read` gives
	 * @param now milliseconds since the epoch
	 * @throws whatever `read` throws
	 */
	async get(
		name: string,
		now: number,
		read: () => Promise<T>,
		passes: (value: T) => boolean,
	): Promise<T> {
		const recent = this.reads.get(name);
		if (recent !== undefined && isFresh(recent, now)) {
			const hasPassed = await recent.value.then(passes, () => false);
			if (hasPassed) return await recent.value;
		}
		const value = read();
		this.remember(name, { startedAt: now, value });
		return await value;
	}

	private remember(name: string, read: Read<T>): void {
		for (const [other, earlier] of this.reads) {
			if (!isFresh(earlier, read.startedAt)) this.reads.delete(other);
		}
		this.reads.set(name, read);
	}
}

/** The absolute difference, so that no value stays fresh for longer after the clock was set back. */
const isFresh = ({ startedAt }: Read<unknown>, now: number): boolean =>
	Math.abs(now - startedAt) < FRESH_FOR;
