import { useSimulator } from '../engine/world';
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from './endpoints';
import { limiterOf } from './rateLimiter';
import { changed, clientOf, good, type Send } from './testClient';

const simulator = useSimulator();
const send: Send = async (request) => await clientOf(simulator())(request);

const fieldsOf = (name: EndpointName): string[] => Object.keys(ENDPOINTS[name].example.body ?? {});
const withBody = ENDPOINT_NAMES.filter((name) => fieldsOf(name).length > 0);

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

	it.each(withBody)('%s insists on JSON, known fields and required fields', async (name) => {
		const body = JSON.stringify(good(name).body);
		const refused = [
			{ ...good(name), body, headers: { 'content-type': 'text/plain' } },
			{ ...good(name), body: body.slice(0, -1), headers: { 'content-type': 'application/json' } },
			{ ...good(name), body: '', headers: { 'content-type': 'application/json' } },
			changed(name, { somethingElse: 1 }),
			...fieldsOf(name).map((field) => changed(name, { [field]: undefined })),
			...fieldsOf(name).map((field) => changed(name, { [field]: 7 })),
		];
		for (const request of refused) {
			expect([request.body, (await send(request)).status]).toEqual([request.body, 400]);
		}
		expect(simulator().processed()).toEqual([]);
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
