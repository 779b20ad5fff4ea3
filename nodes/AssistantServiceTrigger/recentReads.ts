/** How long what was read counts, in milliseconds. */
export const FRESH_FOR = 5_000;

interface Read<T> {
	readonly startedAt: number;
	readonly value: Promise<T>;
}

/**
 * What was read a moment ago, so that many deliveries in a row, or at the same moment, read it once.
 *
 * For n8n a credential is costly to read: a query, the decryption, and an isolate for its expressions.
 */
export class RecentReads<T> {
	private readonly reads = new Map<string, Read<T>>();

	/**
	 * Whether what was read passes a test. Only what passes is taken from memory: before it says no, it
	 * reads again, so that what was changed counts at once for whoever comes with the new.
	 *
	 * @param name names what is read
	 * @param now milliseconds since the epoch
	 * @throws whatever `read` throws
	 */
	async someRead(
		name: string,
		now: number,
		read: () => Promise<T>,
		passes: (value: T) => boolean,
	): Promise<boolean> {
		const recent = this.reads.get(name);
		if (recent !== undefined && isFresh(recent, now)) {
			const hasPassed = await recent.value.then(passes, () => false);
			if (hasPassed) return true;
		}
		const value = read();
		this.remember(name, { startedAt: now, value });
		return passes(await value);
	}

	private remember(name: string, read: Read<T>): void {
		for (const [other, earlier] of this.reads) {
			if (!isFresh(earlier, read.startedAt)) this.reads.delete(other);
		}
		this.reads.set(name, read);
	}
}

/** A clock that was set back makes nothing fresh for longer. */
const isFresh = ({ startedAt }: Read<unknown>, now: number): boolean =>
	Math.abs(now - startedAt) < FRESH_FOR;
