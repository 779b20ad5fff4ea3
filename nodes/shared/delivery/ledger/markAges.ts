const DAY = 86_400_000;

/**
 * How old the marks of a node are. n8n keeps them without times, the oldest first, and each write can cut off all but the
 * last so many. So once a day, all but the marks of the last days are cut off.
 *
 * What a process finds when it starts counts as new. So does all that there is once the row holds another number of marks than
 * this process has left: another process writes them, too. So in queue mode, only the number of marks bounds the row.
 */
export class MarkAges {
	/** How many marks were added, by the day, counted from the epoch. */
	private readonly added = new Map<number, number>();

	/** The day of the last look. */
	private day = -1;

	/** The highest bound of the runs so far. */
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
	 * How many marks are to stay at the next write; `Infinity` if that was asked for today.
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

	/** To be called after marks were removed. They count as there still: then older ones stay, and not fewer. */
	removed(marks: number): void {
		if (this.total !== undefined) this.total -= marks;
	}
}
