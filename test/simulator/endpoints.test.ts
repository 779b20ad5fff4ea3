import { useSimulator } from '../engine/world';
import { ENDPOINT_NAMES } from './endpoints';
import { limiterOf } from './rateLimiter';
import { clientOf, good, type Send } from './testClient';

const simulator = useSimulator();
const send: Send = async (request) => await clientOf(simulator())(request);

describe('every endpoint', () => {
	it.each(ENDPOINT_NAMES)('%s accepts its example and records it', async (name) => {
		const { status, headers } = await send(good(name));

		expect(status).toBeLessThan(300);
		expect(headers['content-type']).toContain('application/json');
		expect(simulator().requests).toMatchObject([
			{ ...good(name), query: '', endpoint: name, processed: true, status, inFlight: 1 },
		]);
		expect(simulator().processed(name)).toEqual(simulator().requests);
	});
});

it.each([
	['within any second', { requestsPerSecond: 2 }, [0, 300, 400, 999, 1000, 1001, 1300], '0011010'],
	[
		'with a bucket, which fills up evenly',
		{ requestsPerSecond: 2, bucket: 3 },
		[0, 0, 0, 100, 499, 500, 999, 1000, 9000, 9000, 9000, 9000],
		'000110100001',
	],
])('says in whole seconds when it takes requests again: %s', (_, limit, times, waits) => {
	const limiter = limiterOf(limit);
	expect(times.map((now) => limiter.secondsToWait(now)).join('')).toBe(waits);
});
