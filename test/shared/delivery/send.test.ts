import { FAILURE_TEXTS } from '../../../nodes/shared/answer/failure';
import { playOut, useVirtualTime, type Run } from './virtualRuns';

useVirtualTime();

const call: Run = {
	beginAt: 0,
	items: 1,
	maxWait: 5,
	maxConcurrentRequests: 1,
	requestsPerSecond: 0,
	isSafe: false,
};

test('a 503 with Retry-After did nothing: a 429 after it is certain, too', async () => {
	const unavailable = { says: 503, retryAfter: 1, after: 50 } as const;
	const [item] = await playOut([unavailable, { says: 429, retryAfter: 40, after: 50 }], [call]);

	expect(item?.requests).toHaveLength(2);
	expect(item?.ends).toMatchObject([
		{ result: { failure: { kind: 'rateLimited', outcome: 'refused', httpStatus: 429 } } },
	]);
});

test('while nothing answers, items after the first get one try', async () => {
	const unreachable = { says: 'unreachable', after: 50 } as const;
	const items = await playOut([unreachable], [{ ...call, items: 3 }]);

	expect(items.map(({ requests }) => requests.length)).toEqual([4, 1, 1]);
});

test('a run that is cancelled while it waits says what the service said', async () => {
	const [item] = await playOut(
		[{ says: 429, retryAfter: 4, after: 50 }],
		[{ ...call, cancelAt: 2_000 }],
	);

	expect(item?.requests).toHaveLength(1);
	expect(item?.ends).toMatchObject([
		{
			at: 2_000,
			result: { failure: { kind: 'rateLimited', hint: FAILURE_TEXTS.rateLimited.hint } },
		},
	]);
});
