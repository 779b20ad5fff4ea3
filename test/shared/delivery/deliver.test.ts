import { FAILURE_TEXTS } from '../../../nodes/shared/answer/failure';
import { failureOf } from '../../../nodes/shared/delivery/outcome';
import { ACCEPTED, playOut, useVirtualTime, type Reply, type Run } from './virtualRuns';

useVirtualTime();

const run = (beginAt: number, more: Partial<Run> = {}): Run => ({
	beginAt,
	items: 1,
	maxWait: 5,
	maxConcurrentRequests: 1,
	requestsPerSecond: 0,
	isSafe: false,
	...more,
});

test('a run whose marks are never taken ends when it is cancelled, and has sent nothing', async () => {
	const runs = [run(0, { items: 2, cancelAt: 1_000, isStuck: true })];
	const stopped = { failure: { kind: 'stopped', outcome: 'notSent' } };
	const never = { requests: [], ends: [{ at: 1_000, result: stopped }] };

	expect(await playOut([ACCEPTED], runs)).toMatchObject([never, never]);
});

test('while nothing answers, items after the first get one try', async () => {
	const items = await playOut([{ says: 'unreachable', after: 50 }], [run(0, { items: 3 })]);

	expect(items.map(({ requests }) => requests.length)).toEqual([4, 1, 1]);
});

test('a run that is cancelled while it waits says what the service said', async () => {
	const refusal: Reply = { says: 429, retryAfter: 4, after: 50 };
	const [item] = await playOut([refusal], [run(0, { cancelAt: 2_000 })]);

	expect(item?.requests).toHaveLength(1);
	expect(item?.ends).toMatchObject([
		{
			at: 2_000,
			result: { failure: { kind: 'rateLimited', hint: FAILURE_TEXTS.rateLimited.hint } },
		},
	]);
});

describe('the single request after a hold of more than 30 seconds', () => {
	const HOLD: Reply = { says: 429, retryAfter: 40, after: 0 };

	/** How each item ended, and when, in seconds. */
	const endsWith = async (replies: readonly Reply[], runs: readonly Run[]) =>
		(await playOut([HOLD, ...replies, ACCEPTED], runs)).map(({ ends }) =>
			ends.map(({ at, result }) => [failureOf(result)?.kind, at / 1_000]),
		);

	test.each([429, 503, 'nothing'] as const)(
		'holds nobody back if it is answered after the end of the hold: %s',
		async (says) => {
			const runs = [run(0), run(10_000), run(50_000), run(60_000)];
			const ends = await endsWith([{ says, after: 35_000 }], runs);

			expect(ends.slice(2)).toEqual([[[undefined, 50.05]], [[undefined, 60.05]]]);
		},
	);

	test('is asked again by the next run if it has no answer, and not by its own', async () => {
		const asking = run(10_000, { items: 2, maxWait: 60 });
		const runs = [run(0), asking, run(12_000)];
		const ends = await endsWith([{ says: 'nothing', after: 1_000 }], runs);

		const [[, endOfSameRun] = []] = ends[2] ?? [];
		expect(ends[1]).toEqual([['timeout', 11]]);
		expect(ends[3]).toEqual([[undefined, 12.05]]);
		expect(endOfSameRun).toBeGreaterThanOrEqual(12.1);
		expect(endOfSameRun).toBeLessThan(15.05);
	});
});
