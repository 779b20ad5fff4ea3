import { useSimulator } from '../engine/world';
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from './endpoints';
import { ERRORS, type ErrorKind } from './errors';
import { ASSISTANT_ID, KNOWLEDGE_BASE_ID, TO_NUMBER } from './seed';
import { changed, clientOf, good, type ClientRequest, type Send } from './testClient';

const STRANGER = '99999999-9999-4999-8999-999999999999';

const simulator = useSimulator();
const send: Send = async (request) => await clientOf(simulator())(request);

const fieldsOf = (name: EndpointName): string[] => Object.keys(ENDPOINTS[name].example.body ?? {});
const withBody = ENDPOINT_NAMES.filter((name) => fieldsOf(name).length > 0);
const withField = (field: string) =>
	ENDPOINT_NAMES.filter((name) => fieldsOf(name).includes(field));

/** What an endpoint answers to a refused request: the status, and the text in the field of its group. */
function refusalOf(name: EndpointName, kind: ErrorKind) {
	const { field, fields, texts, numericStatus } = ENDPOINTS[name].errors;
	const { status, text } = ERRORS[kind];
	const body = { [fields?.[kind] ?? field]: texts?.[kind] ?? text };
	return { status, data: numericStatus ? { ...body, status } : body };
}

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

	it.each(ENDPOINT_NAMES)('%s refuses a bad key and fails in its own words', async (name) => {
		const answerTo = async (request: ClientRequest) => {
			const { status, data } = await send(request);
			return { status, data };
		};
		const withKey = (key: string | undefined) =>
			answerTo({ ...good(name), headers: { 'x-api-key': key } });

		expect(await withKey(undefined)).toEqual(refusalOf(name, 'missingKey'));
		expect(await withKey('no such key')).toEqual(refusalOf(name, 'invalidKey'));
		expect(await withKey(simulator().forbiddenApiKey)).toEqual(refusalOf(name, 'forbidden'));
		simulator().addFault({ kind: 'status' });
		expect(await answerTo(good(name))).toEqual(refusalOf(name, 'serverError'));
		expect(simulator().processed()).toEqual([]);
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

it.each(withField('toNumber'))('%s refuses formatted numbers', async (name) => {
	simulator().customerReplies(TO_NUMBER);
	for (const toNumber of ['+49 151 12345678', '(0151) 123', '12345', `+${'1'.repeat(16)}`]) {
		expect((await send(changed(name, { toNumber }))).status).toBe(400);
	}
	expect((await send(changed(name, { toNumber: TO_NUMBER.slice(1) }))).status).toBeLessThan(300);
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
	['chat', 8],
	['placeCall', 8],
	['startSms', 8],
	['createCampaign', 3],
] as const)('%s knows customField1 to customField%i', async (name, count) => {
	const withAttribute = async (field: string, value: unknown) =>
		(await send(changed(name, { attributes: { [field]: value } }))).status;

	expect(await withAttribute(`customField${count}`, 'x')).toBeLessThan(300);
	expect(await withAttribute(`customField${count + 1}`, 'x')).toBe(400);
	expect(await withAttribute('customField1', 1)).toBe(400);
});
