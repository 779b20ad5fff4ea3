import fc from 'fast-check';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { FAILURE_TEXTS } from '../../nodes/shared/answer/failure';
import { answerWith, useOtherServers, type Answerer } from '../otherServer';
import { CONNECTED, testCredential } from './apiCredential';
import { credentialFor, useSimulator } from './world';

const current = useSimulator();
const startServer = useOtherServers();
const KEY = 'key-0123456789/abc+DEF';

const check = async (changes: ICredentialDataDecryptedObject = {}) =>
	await testCredential({ ...credentialFor(current()), ...changes });

const answerJson = (status: number, body: unknown): Answerer =>
	answerWith(status, JSON.stringify(body));

/** What the button "Test" says if a server answers everything in one way. */
async function testAt(answer: Answerer) {
	const { baseUrl } = await startServer(answer);
	return await check({ baseUrl: `${baseUrl}/api`, apiKey: KEY });
}

const error = (message: unknown) => ({ status: 'Error', message });

const notTheService = (said?: string): string =>
	[
		'This address does not answer like the service (HTTP 404).',
		...(said === undefined ? [] : [`The answer says: "${said}".`]),
		'Check "Base URL": it is the address that comes before /v1.',
	].join(' ');

test('a good credential is told by the service that has no such conversation', async () => {
	expect(await check()).toEqual(CONNECTED);
	expect(current().requests).toEqual([
		expect.objectContaining({
			method: 'GET',
			path: `/v1/conversation/workspace/${current().workspaceId}/n8n-credential-test`,
			query: '',
			rawBody: '',
			headers: expect.objectContaining({ 'x-api-key': current().apiKey }) as unknown,
		}),
	]);
});

test.each<[number, unknown]>([
	[200, { _id: '1', workspace: 'w', messages: [], attributes: {} }],
	[404, { error: 'Error: Conversation not found!' }],
	[404, { statusCode: 404, error: 'Not Found', message: 'Conversation not found' }],
	[404, { msg: 'The conversation does not exist' }],
])('%i %j says that the credential is good', async (status, body) => {
	expect(await testAt(answerJson(status, body))).toEqual(CONNECTED);
});

test.each<[ICredentialDataDecryptedObject, string]>([
	[
		{ mode: 'checkOnly', testNumber: 'nobody' },
		'Mode Check Only: nothing that reaches people or changes data is sent.',
	],
	[
		{ mode: 'redirect', testNumber: ' 0049 151 123-45678 ' },
		'Mode Redirect: calls and messages go to +4915112345678 instead of their recipients.',
	],
])('the mode is named: %j', async (changes, named) => {
	const message = `Connected: the service accepts the key for this workspace. ${named}`;

	expect(await check(changes)).toEqual({ ...CONNECTED, message });
	expect(current().requests.map(({ method }) => method)).toEqual(['GET']);
});

test.each<[ICredentialDataDecryptedObject, message: string]>([
	[
		{ mode: 'Live' },
		'Mode of the credential: expected one of: live, checkOnly, redirect. Correct it and test again.',
	],
	[
		{ apiKey: 'schlüssel\nx' },
		'API Key of the credential: expected printable ASCII characters on one line. Correct it and test again.',
	],
	[{ mode: 'redirect', testNumber: '0151 1' }, 'Test Number of the credential: '],
])('%j is refused before anything is sent', async (changes, message) => {
	expect(await check(changes)).toEqual(error(expect.stringContaining(message)));
	expect(current().requests).toEqual([]);
});

describe('what is wrong is said in sentences:', () => {
	test.each<[string, () => ICredentialDataDecryptedObject, string]>([
		[
			'a wrong key',
			() => ({ apiKey: 'wrong' }),
			'The API key is not valid (HTTP 401). The answer says: "API key not valid". In the credential, enter the "API Key" and the "Workspace ID" of the same workspace.',
		],
		[
			'a key of another workspace',
			() => ({ apiKey: current().forbiddenApiKey }),
			'The API key may not use this workspace (HTTP 403). The answer says: "Forbidden". Enter the "API Key" and the "Workspace ID" of the same workspace.',
		],
		[
			'an address without its prefix, and a wrong key',
			() => ({ baseUrl: new URL(current().baseUrl).origin, apiKey: 'wrong' }),
			notTheService('Not found'),
		],
		[
			'a host that does not exist',
			() => ({ baseUrl: 'http://assistant.invalid/api' }),
			'The service could not be reached (ENOTFOUND). Check "Base URL" in the credential, and the network between n8n and the service.',
		],
	])('%s', async (_, changes, message) => {
		expect(await check(changes())).toEqual(error(message));
	});

	test.each<[string, Answerer, string]>([
		[
			'the message of a framework',
			answerJson(404, { message: 'Route GET:/v1/conversation/x not found', error: 'Not Found' }),
			notTheService('Not Found'),
		],
		['nothing', answerWith(404), notTheService()],
		[
			'a page',
			answerWith(404, '<p>Conversation not found</p>', 'text/html'),
			notTheService('Conversation not found'),
		],
		[
			'an empty answer with a good status',
			answerWith(200),
			`The service gave no clear answer (HTTP 200). ${FAILURE_TEXTS.badResponse.hint}`,
		],
		[
			'a broken connection',
			(response) => response.destroy(),
			'The connection to the service broke before its answer came (ECONNRESET). Check "Base URL" in the credential, and the network between n8n and the service.',
		],
	])('%s', async (_, answer, message) => {
		expect(await testAt(answer)).toEqual(error(message));
	});

	test.each([302, 307])('a redirect with %i, without the key', async (status) => {
		const other = await startServer(answerJson(404, { message: 'Conversation not found' }));
		const redirect = answerWith(status, '', 'text/plain', { location: `${other.baseUrl}/api` });

		expect(await testAt(redirect)).toEqual(
			error(
				`This address redirects to another one, and the key is not sent there (HTTP ${status}). Enter the address that it leads to as "Base URL", e.g. with https:// instead of http://.`,
			),
		);
		expect(other.requests).toEqual([]);
	});

	test('an answer that does not end within 15 seconds', async () => {
		const timer = new AbortController();
		const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timer.signal);
		const result = testAt((response) => {
			response.writeHead(404, { 'content-type': 'application/json' });
			response.write('{"message":');
			timer.abort();
		});
		expect(await result).toEqual(
			error(
				'The service did not answer in time (ETIMEDOUT). Check "Base URL" and the network between n8n and the service.',
			),
		);
		expect(timeout).toHaveBeenCalledWith(15_000);
	});
});

test('whatever a server answers, it is told in sentences, and without the key', async () => {
	const echo = fc.constantFrom(
		KEY,
		encodeURIComponent(KEY),
		`Conversation ${KEY}`,
		`API key ${KEY} not valid`,
		'x'.repeat(990) + KEY,
	);
	const body = fc.oneof(
		fc.dictionary(fc.constantFrom('msg', 'message', 'error', 'code', 'moreInfo', KEY), echo),
		fc.record({ error: fc.record({ message: echo }) }),
		echo,
		fc.jsonValue(),
	);
	let given: Answerer = answerWith(200);
	const server = await startServer((response, request) => {
		given(response, request);
	});
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 200, max: 599 }), body, async (status, answer) => {
			given = answerJson(status, answer);
			const { message } = await check({ baseUrl: server.baseUrl, apiKey: KEY });
			expect(message).toMatch(/^[A-Z].*\.$/s);
			expect(message).not.toContain(KEY.slice(0, 8));
		}),
		{ numRuns: 200 },
	);
	expect(new Set(server.requests.map(({ headers }) => headers['x-api-key']))).toEqual(
		new Set([KEY]),
	);
});
