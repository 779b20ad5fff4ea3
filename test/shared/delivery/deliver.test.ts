import { FAILURE_TEXTS } from '../../../nodes/shared/answer/failure';
import { deliver } from '../../../nodes/shared/delivery/deliver';
import { Gate } from '../../../nodes/shared/gate/gate';
import { failureOf } from '../../../nodes/shared/delivery/outcome';
import { Rules } from '../../../nodes/shared/rules/rules';
import { other, plan } from './results';
import { newNode, Run as OpenedRun } from './runs';
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
	const cancel = new AbortController();
	const halt = new AbortController();
	const signal = AbortSignal.any([cancel.signal, halt.signal]);
	const seen = newNode();
	// n8n's database does not answer, and does not say so.
	seen.record = async () => await new Promise<never>(() => undefined);
	const opened = await OpenedRun.open(seen, [plan, other], { signal, cancelSignal: cancel.signal });
	const transport = jest.fn();
	const ending = deliver({
		...{
			transport,
			gate: new Gate(),
			rules: new Rules('UTC', 'call.place', []),
			memory: opened.memory,
		},
		...{ halt, signal, cancelSignal: cancel.signal, stopOnFailure: false },
		...{ maxConcurrentRequests: 5, requestsPerSecond: 0 },
	});

	await jest.advanceTimersByTimeAsync(1_000);
	cancel.abort();

	const stopped = { kind: 'failed', failure: { kind: 'stopped', outcome: 'notSent' } };
	expect(await ending).toMatchObject([stopped, stopped]);
	expect(transport).not.toHaveBeenCalled();
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
