import fc from 'fast-check';
import { idealEnd } from '../../playground/bench/bursts';
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
