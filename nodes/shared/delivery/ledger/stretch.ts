/** How many items are marked at a time at least: a crash leaves at most so many in doubt that were not sent. */
const MIN_STRETCH = 50;

/** A long list is marked in at most so many parts. */
const MAX_PARTS = 100;

/** n8n reads and writes all marks of a node at a time: the more there are, the more are added at once. */
const KEPT_PER_MARK = 200;

/**
 * How many items of a run are marked at a time.
 *
 * @param items how many the run has
 * @param count how many marks n8n keeps of the node
 */
export async function findStretch(items: number, count: () => Promise<number>): Promise<number> {
	if (items <= MIN_STRETCH) return MIN_STRETCH;
	const kept = await count();
	return Math.max(MIN_STRETCH, Math.ceil(items / MAX_PARTS), Math.ceil(kept / KEPT_PER_MARK));
}
