import fc from 'fast-check';
import { idealEnd, outcomeOf } from '../../playground/bench/burst/figures';
import { limiterOf } from '../simulator/rateLimiter';
import type { Arrival } from '../simulator/control';

const arrival = (recipient: string, processed: boolean): Arrival => ({
	endpoint: 'placeCall',
	recipient,
	at: 0,
	processed,
	status: processed ? 201 : 429,
});

describe('the earliest end of a burst', () => {
	it.each([
		[
			'all at once: so many a second',
			Array<number>(200).fill(300),
			{ requestsPerSecond: 20 },
			9300,
		],
		['slower than the limit: the last one', [0, 1000, 2000], { requestsPerSecond: 1 }, 2000],
		['one too many', [0, 10, 20], { requestsPerSecond: 2 }, 1000],
		['a bucket', Array<number>(200).fill(300), { requestsPerSecond: 20, bucket: 20 }, 9300],
		['one more than the bucket holds', [0, 10, 20], { requestsPerSecond: 2, bucket: 2 }, 500],
		['a bucket that was filled up', [0, 900, 900], { requestsPerSecond: 2, bucket: 2 }, 900],
	])('%s', (_, cameAt, limit, expected) => {
		expect(idealEnd(cameAt, limit)).toBe(expected);
	});

	it('is when the limiter of the service serves whoever asks in each millisecond', () => {
		fc.assert(
			fc.property(
				fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 40 }),
				fc.record(
					{
						// Those of which a request takes whole milliseconds.
						requestsPerSecond: fc.constantFrom(1, 2, 4, 5, 8),
						bucket: fc.integer({ min: 1, max: 5 }),
					},
					{ requiredKeys: ['requestsPerSecond'] },
				),
				(unordered, limit) => {
					const cameAt = unordered.sort((a, b) => a - b);
					const limiter = limiterOf(limit);
					let served = 0;
					let now = 0;
					for (; served < cameAt.length; now++) {
						while ((cameAt[served] ?? Infinity) <= now && limiter.secondsToWait(now) === 0)
							served++;
					}
					expect(idealEnd(cameAt, limit)).toBe(now - 1);
				},
			),
			{ numRuns: 100 },
		);
	});
});

describe('what became of the calls of a burst', () => {
	it('is counted by who was called', () => {
		const arrivals = [
			arrival('+491', true),
			...[false, false, true].map((processed) => arrival('+492', processed)),
			...[true, true].map((processed) => arrival('+493', processed)),
			arrival('+494', false),
		];

		expect(outcomeOf(arrivals, 5, 2)).toEqual({
			once: 2,
			moreThanOnce: 1,
			lost: 2,
			failed: 2,
			requestsPerCall: 7 / 5,
			mostRequests: 3,
		});
	});
});
