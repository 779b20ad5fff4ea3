import fc from 'fast-check';
import { idealEnd, outcomeOf } from '../../playground/bench/burst/figures';
import { RateLimiter } from '../simulator/rateLimiter';
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
		['all at once: so many a second', Array<number>(200).fill(300), 20, 9300],
		['slower than the limit: the last one', [0, 1000, 2000], 1, 2000],
		['one too many', [0, 10, 20], 2, 1000],
	])('%s', (_, cameAt, perSecond, expected) => {
		expect(idealEnd(cameAt, perSecond)).toBe(expected);
	});

	it('is when the limiter of the service serves whoever asks in each millisecond', () => {
		fc.assert(
			fc.property(
				fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 40 }),
				fc.integer({ min: 1, max: 5 }),
				(unordered, perSecond) => {
					const cameAt = unordered.sort((a, b) => a - b);
					const limiter = new RateLimiter(perSecond);
					let served = 0;
					let now = 0;
					for (; served < cameAt.length; now++) {
						while ((cameAt[served] ?? Infinity) <= now && limiter.secondsToWait(now) === 0)
							served++;
					}
					expect(idealEnd(cameAt, perSecond)).toBe(now - 1);
				},
			),
			{ numRuns: 50 },
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
