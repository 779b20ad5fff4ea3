import { useSimulator } from '../engine/world';
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from './endpoints';
import { limiterOf } from './rateLimiter';
import { ASSISTANT_ID, KNOWLEDGE_BASE_ID } from './seed';
import { changed, clientOf, good, type ClientRequest, type Send } from './testClient';

const STRANGER = '99999999-9999-4999-8999-999999999999';

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

it.each<[status: number, body: object, id: string, names: EndpointName[]]>([
	[404, { error: 'Assistant not found' }, ASSISTANT_ID, ['setLock', 'updatePrompt', 'getPrompt']],
	[400, { msg: 'Bad request' }, ASSISTANT_ID, ['startMsgapp', 'sendMsgappTemplate']],
	[400, { msg: 'Invalid input' }, ASSISTANT_ID, ['placeCall']],
	[400, { message: 'Bad request' }, ASSISTANT_ID, ['chat', 'createBulkCampaign']],
	[400, { msg: 'Bad request' }, KNOWLEDGE_BASE_ID, ['getKnowledgeBase', 'addParagraphs']],
	[404, { msg: 'Knowledge base does not exist' }, KNOWLEDGE_BASE_ID, ['deleteParagraph']],
])('answers %d %j where there is no %s: %j', async (status, data, id, names) => {
	for (const name of names) {
		const text = JSON.stringify(good(name)).replaceAll(id, STRANGER);
		expect(await send(JSON.parse(text) as ClientRequest)).toMatchObject({ status, data });
	}
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
