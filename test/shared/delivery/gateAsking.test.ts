import { failureOf } from '../../../nodes/shared/delivery/outcome';
import { ACCEPTED, playOut, useVirtualTime, type Item, type Reply, type Run } from './virtualRuns';

useVirtualTime();

const HOLD: Reply = { says: 429, retryAfter: 40, after: 0 };

/** A run of one call. */
const run = (beginAt: number, more: Partial<Run> = {}): Run => ({
	beginAt,
	items: 1,
	maxWait: 5,
	maxConcurrentRequests: 5,
	requestsPerSecond: 0,
	isSafe: false,
	...more,
});

/** How each item ended, and when, in seconds. */
const endsOf = (items: readonly Item[]) =>
	items.map(({ ends }) => ends.map(({ at, result }) => [failureOf(result)?.kind, at / 1_000]));

describe('the single request after a hold of more than 30 seconds', () => {
	test.each<[string, Reply]>([
		['429', { says: 429, after: 35_000 }],
		['503', { says: 503, after: 35_000 }],
		['no answer', { says: 'nothing', after: 35_000 }],
	])('%s after the end of the hold holds nobody back', async (_, reply) => {
		const runs = [run(0), run(10_000), run(50_000), run(60_000)];
		const items = await playOut([HOLD, reply, ACCEPTED], runs);

		expect(endsOf(items).slice(2)).toEqual([[[undefined, 50.05]], [[undefined, 60.05]]]);
	});

	test('is asked again by the next run if it has no answer, and not by its own', async () => {
		const lost: Reply = { says: 'nothing', after: 1_000 };
		const asking = run(10_000, { items: 2, maxWait: 60, maxConcurrentRequests: 1 });
		const items = await playOut([HOLD, lost, ACCEPTED], [run(0), asking, run(12_000)]);

		const ends = endsOf(items);
		const itemOfSameRun = items[2];
		expect(ends[1]).toEqual([['timeout', 11]]);
		expect(ends[3]).toEqual([[undefined, 12.05]]);
		expect(itemOfSameRun?.requests[0]?.at).toBeGreaterThanOrEqual(12_050);
		expect(itemOfSameRun?.requests[0]?.at).toBeLessThan(15_000);
	});
});
