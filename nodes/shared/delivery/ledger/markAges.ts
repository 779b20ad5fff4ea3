const DAY = 86_400_000;

/**
 * Counts the marks of a node by the day on which they were added, so that old ones can be cut off. n8n keeps marks without
 * times, the oldest first, and each write can cut off all but the last ones. So once a day, the first write leaves only as
 * many marks as were added in the last days.
 *
 * Marks that a process finds when it starts count as new. So do all marks of the node when there are more or fewer than this
 * process has left, since another process then writes them, too. So in queue mode marks are cut off by their number alone.
 */
export class MarkAges {
	/** How many marks were added, by the day, counted from the epoch. */
	private readonly added = new Map<number, number>();

	/** The last day on which {@link bound} has counted. */
	private day = -1;

	/** The highest bound of a run so far. */
	private most = 0;

	/** How many marks this process has left. */
	private total: number | undefined;

	/**
	 * How many marks may be left by a run whose own bound is this: no less than by earlier ones, of which one may still be
	 * under way with a longer list.
	 */
	highest(bound: number): number {
		this.most = Math.max(this.most, bound);
		return this.most;
	}

	/**
	 * How many marks the next write is to leave; `Infinity` if this was asked for before on the same day.
	 *
	 * @param now in milliseconds since the epoch
	 * @param keptDays for how many days marks stay
	 * @param count asks n8n how many there are
	 * @throws whatever `count` throws
	 */
	async bound(now: number, keptDays: number, count: () => Promise<number>): Promise<number> {
		const today = Math.floor(now / DAY);
		if (today === this.day) return Infinity;
		const found = await count();
		if (found !== this.total) {
			this.added.clear();
			this.added.set(today, found);
		}
		for (const day of this.added.keys()) if (day < today - keptDays) this.added.delete(day);
		[this.day, this.total] = [today, found];
		return [...this.added.values()].reduce((sum, one) => sum + one, 0);
	}

	/**
	 * To be called after a write.
	 *
	 * @param added how many marks were not there before
	 * @param most how many it has left at most
	 */
	wrote(added: number, most: number): void {
		this.added.set(this.day, (this.added.get(this.day) ?? 0) + added);
		if (this.total !== undefined) this.total = Math.min(this.total + added, most);
	}

	/** To be called after marks were removed. Their days still count them, so {@link bound} is rather too high than too low. */
	removed(marks: number): void {
		if (this.total !== undefined) this.total -= marks;
	}
}
