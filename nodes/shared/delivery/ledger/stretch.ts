/** How many items are marked at a time at least. A crash leaves those of them in doubt that were not sent yet. */
const MIN_STRETCH = 50;

/** In how many parts a long list is marked at most. */
const MAX_PARTS = 100;

/** At least one item is marked at a time for each 200 marks that n8n keeps: each write reads and writes all of them. */
const KEPT_PER_ITEM = 200;

/**
 * How many items of a run are marked at a time: 50, a hundredth of the run, or a 200th of the marks, whichever is most.
 *
 * @param items how many the run has
 * @param count how many marks n8n keeps of the node
 */
export async function findStretch(items: number, count: () => Promise<number>): Promise<number> {
	if (items <= MIN_STRETCH) return MIN_STRETCH;
	const kept = await count();
	return Math.max(MIN_STRETCH, Math.ceil(items / MAX_PARTS), Math.ceil(kept / KEPT_PER_ITEM));
}
