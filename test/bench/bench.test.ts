import fc from 'fast-check';
import { idealEnd } from '../../playground/bench/bursts';
import { outcomeOf } from '../../playground/bench/service';
import type { Arrival } from '../simulator/arrivals';
import { limiterOf } from '../simulator/rateLimiter';

it('gives the end of a burst when the limiter of the service serves whoever asks in each millisecond', () => {
	fc.assert(
		fc.property(
			fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 40 }),
			// Those of which a request takes whole milliseconds.
			fc.constantFrom(1, 2, 4, 5, 8),
			fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
			(unordered, requestsPerSecond, bucket) => {
				const limit = { requestsPerSecond, bucket };
				const cameAt = unordered.sort((a, b) => a - b);
				const limiter = limiterOf(limit);
				let served = 0;
				let now = 0;
				for (; served < cameAt.length; now++) {
					while ((cameAt[served] ?? Infinity) <= now && limiter.secondsToWait(now) === 0) served++;
				}
				expect(idealEnd(cameAt, limit)).toBe(now - 1);
			},
		),
		{ numRuns: 100 },
	);
});

it('counts by who was called', () => {
	const arrivals = ['1 ok', '2 no', '2 no', '2 ok', '3 ok', '3 ok', '4 no'].map((one): Arrival => {
		const [recipient = '', answer] = one.split(' ');
		const processed = answer === 'ok';
		return { endpoint: 'placeCall', recipient, at: 0, processed, status: processed ? 201 : 429 };
	});

	expect(outcomeOf(arrivals, 5)).toEqual({
		once: 2,
		moreThanOnce: 1,
		lost: 2,
		requestsPerCall: 7 / 5,
		mostRequests: 3,
	});
});
