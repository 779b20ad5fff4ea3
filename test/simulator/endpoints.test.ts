import { ENDPOINT_NAMES, type EndpointName, type Simulator } from './contract';
import { startSimulator } from './simulator';
import { changed, clientOf, elsewhere, good, TO_NUMBER, type ClientRequest } from './testClient';

const STRANGER = '99999999-9999-4999-8999-999999999999';

let simulator: Simulator;
let send: ReturnType<typeof clientOf>;

beforeAll(async () => {
	simulator = await startSimulator();
	send = clientOf(simulator);
});
afterAll(() => simulator.stop());
beforeEach(() => {
	simulator.reset();
});

/** Sends, and gives what a test compares. */
async function exchange(request: ClientRequest): Promise<{ status: number; body: unknown }> {
	const { status, data } = await send(request);
	return { status, body: data };
}

const withBody = ENDPOINT_NAMES.filter((name) => good(name).body !== undefined);
const withoutBody = ENDPOINT_NAMES.filter((name) => good(name).body === undefined);

describe('every endpoint', () => {
	/** The field of a key error, and what the forbidden key is told. */
	const KEY_ERRORS: Record<EndpointName, { field: string; forbidden?: string }> = {
		chat: { field: 'message' },
		getConversation: { field: 'message' },
		placeCall: { field: 'msg' },
		startSms: { field: 'msg' },
		createCampaign: { field: 'message', forbidden: 'API key not valid' },
		createBulkCampaign: { field: 'message', forbidden: 'API key not valid' },
		startMsgapp: { field: 'msg' },
		continueMsgapp: { field: 'msg' },
		sendMsgappTemplate: { field: 'msg' },
		addParagraphs: { field: 'msg' },
		getKnowledgeBase: { field: 'msg' },
		deleteParagraph: { field: 'message' },
		setLock: { field: 'message' },
		updatePrompt: { field: 'message' },
		getPrompt: { field: 'message' },
	};

	it.each(ENDPOINT_NAMES)('%s accepts a good request and records it', async (name) => {
		simulator.customerReplies(TO_NUMBER);
		await send(good('chat'));

		const { status, headers } = await send(good(name));

		expect(status).toBe(name === 'placeCall' ? 201 : 200);
		expect(headers['content-type']).toContain('application/json');
		expect(simulator.requests.at(-1)).toMatchObject({
			method: good(name).method,
			path: good(name).path,
			endpoint: name,
			body: good(name).body,
			processed: true,
			status,
			inFlight: 1,
		});
		expect(simulator.processed(name)).toContain(simulator.requests.at(-1));
	});

	it.each(ENDPOINT_NAMES)('%s refuses a missing, an invalid and a forbidden key', async (name) => {
		const { field, forbidden = 'Forbidden' } = KEY_ERRORS[name];
		const withKey = (key: string | undefined) =>
			exchange({ ...good(name), headers: { 'x-api-key': key } });

		const missing = await withKey(undefined);
		const invalid = await withKey('no such key');
		const notAllowed = await withKey(simulator.forbiddenApiKey);

		expect(missing).toMatchObject({
			status: 401,
			body: { [field]: 'No API key, authorization denied' },
		});
		expect(invalid).toMatchObject({ status: 401, body: { [field]: 'API key not valid' } });
		expect(notAllowed.status).toBe(403);
		expect(notAllowed.body).toEqual(
			name === 'deleteParagraph'
				? { msg: forbidden }
				: { [field]: forbidden, ...(name === 'createCampaign' && { status: 403 }) },
		);
		expect(simulator.processed()).toEqual([]);
	});

	it.each(ENDPOINT_NAMES)('%s refuses another method and another path', async (name) => {
		const otherMethod = await send({ ...good(name), method: 'PATCH' });
		const otherPath = await send({ ...good(name), path: `${good(name).path}/` });

		expect(otherMethod.status).toBe(405);
		expect(otherMethod.headers.allow).toBe(good(name).method);
		expect(otherPath.status).toBe(404);
		expect(simulator.requests).toHaveLength(2);
		expect(simulator.processed()).toEqual([]);
	});

	it.each(ENDPOINT_NAMES)('%s refuses a foreign workspace and query parameters', async (name) => {
		const { workspaceId } = simulator;
		const request = good(name);
		const inBody = JSON.stringify(request.body ?? {}).includes(workspaceId);

		const foreign = await send(
			inBody ? changed(name, { workspaceId: STRANGER }) : elsewhere(request, workspaceId, STRANGER),
		);
		const withQuery = await send({ ...request, path: `${request.path}?verbose=1` });

		expect(foreign.status).toBe(403);
		expect(withQuery.status).toBe(400);
		expect(simulator.requests.at(-1)).toMatchObject({ path: request.path, query: 'verbose=1' });
	});

	it.each(withBody)('%s insists on JSON, known fields and required fields', async (name) => {
		simulator.customerReplies(TO_NUMBER);
		const body = JSON.stringify(good(name).body);
		const refused = [
			{ ...good(name), body, headers: { 'content-type': 'text/plain' } },
			{ ...good(name), body: body.slice(0, -1), headers: { 'content-type': 'application/json' } },
			{ ...good(name), body: '', headers: { 'content-type': 'application/json' } },
			changed(name, { somethingElse: 1 }),
			...Object.keys(good(name).body ?? {}).map((field) => changed(name, { [field]: undefined })),
			...Object.keys(good(name).body ?? {}).map((field) => changed(name, { [field]: 7 })),
		];
		for (const request of refused) {
			expect([request.body, (await send(request)).status]).toEqual([request.body, 400]);
		}
		expect(simulator.processed()).toEqual([]);
	});

	it.each(withoutBody)('%s refuses a body', async (name) => {
		const { status } = await send({ ...good(name), body: { any: 'thing' } });
		expect(status).toBe(400);
		expect(simulator.processed()).toEqual([]);
	});

	it.each(ENDPOINT_NAMES)('%s insists on UUIDs', async (name) => {
		const { workspaceId, assistantId, knowledgeBaseId } = simulator;
		const text = JSON.stringify(good(name));
		for (const id of [workspaceId, assistantId, knowledgeBaseId]) {
			if (!text.includes(id)) continue;
			const request = JSON.parse(text.replace(id, 'not-a-uuid')) as ClientRequest;
			expect((await send(request)).status).toBe(400);
		}
		expect(simulator.processed()).toEqual([]);
	});
});

describe('phone numbers', () => {
	it.each(['placeCall', 'startSms', 'createCampaign', 'startMsgapp', 'continueMsgapp'] as const)(
		'%s refuses formatted ones',
		async (name) => {
			simulator.customerReplies(TO_NUMBER);
			for (const toNumber of ['+49 151 12345678', '(0151) 123', '12345', `+${'1'.repeat(16)}`]) {
				expect((await send(changed(name, { toNumber }))).status).toBe(400);
			}
			expect((await send(changed(name, { toNumber: TO_NUMBER.slice(1) }))).status).toBeLessThan(
				300,
			);
		},
	);

	it.each(['placeCall', 'startSms', 'createCampaign', 'createBulkCampaign'] as const)(
		'%s calls only from a linked number',
		async (name) => {
			expect((await send(changed(name, { fromNumber: '+15559999999' }))).status).toBe(400);
			expect(simulator.processed()).toEqual([]);
		},
	);
});

describe('attributes', () => {
	it.each([
		['chat', 8],
		['placeCall', 8],
		['startSms', 8],
		['createCampaign', 3],
	] as const)('%s knows customField1 to customField%i', async (name, count) => {
		const withField = (field: string, value: unknown) =>
			send(changed(name, { attributes: { [field]: value } }));

		expect((await withField(`customField${count}`, 'x')).status).toBeLessThan(300);
		expect((await withField(`customField${count + 1}`, 'x')).status).toBe(400);
		expect((await withField('customField1', 1)).status).toBe(400);
	});
});
