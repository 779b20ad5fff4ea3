import { plansOf, type Planned } from '../../request/planned';

/** How many items are marked at a time at least. A crash leaves those of them in doubt that were not sent yet. */
const MIN_STRETCH = 50;

/** In how many parts a long list is marked at most. A retry takes longer for each of them, since it claims its marks. */
const MAX_PARTS = 100;
const MAX_PARTS_OF_RETRY = 20;

/** At least one item is marked at a time for each 200 marks that n8n keeps: each write reads and writes all of them. */
const KEPT_PER_ITEM = 200;

/** For how long items are marked ahead at most, where the user has set how many are sent in a second. */
const SECONDS_AHEAD = 10;

/**
 * How many items of a run are marked at a time: 50, a hundredth of the run (a twentieth of a retry), or a 200th of the marks,
 * whichever is most; but no more than are sent in ten seconds, unless it is a retry.
 *
 * @param planned the items of the run
 * @param isRetry true for a retry, which looks up what was sent before the rate matters
 * @param count how many marks n8n keeps of the node
 */
export async function findStretch(
	planned: readonly Planned[],
	isRetry: boolean,
	count: () => Promise<number>,
): Promise<number> {
	const items = planned.length;
	const { requestsPerSecond = 0 } = plansOf(planned).find(Boolean)?.options ?? {};
	const isPaced = requestsPerSecond > 0 && !isRetry;
	const most = isPaced ? Math.ceil(SECONDS_AHEAD * requestsPerSecond) : Infinity;
	if (Math.min(items, most) <= MIN_STRETCH) return Math.min(most, MIN_STRETCH);
	const kept = await count();
	const maxParts = isRetry ? MAX_PARTS_OF_RETRY : MAX_PARTS;
	const parts = [Math.ceil(items / maxParts), Math.ceil(kept / KEPT_PER_ITEM)];
	return Math.min(most, Math.max(MIN_STRETCH, ...parts));
}
