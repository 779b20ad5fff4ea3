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
