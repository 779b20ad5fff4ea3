import fc from 'fast-check';
import { idealEnd } from '../../playground/bench/bursts';
import { RateLimiter } from '../simulator/rateLimiter';

it('gives the end of a burst when the limiter of the service serves what comes in each millisecond', () => {
	fc.assert(
		fc.property(
			fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 40 }),
			fc.integer({ min: 1, max: 8 }),
			(unordered, perSecond) => {
				const cameAt = unordered.sort((a, b) => a - b);
				const limiter = new RateLimiter(perSecond);
				let served = 0;
				let now = 0;
				for (; served < cameAt.length; now++) {
					while ((cameAt[served] ?? Infinity) <= now && limiter.secondsToWait(now) === 0) served++;
				}
				expect(idealEnd(cameAt, perSecond)).toBe(now - 1);
			},
		),
		{ numRuns: 100 },
	);
});
