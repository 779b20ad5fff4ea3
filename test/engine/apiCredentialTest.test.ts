import fc from 'fast-check';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { answerWith, useOtherServers, type Answerer } from '../otherServer';
import { answerJson, CONNECTED, KEY, testCredential, useTestAt } from './apiCredential';
import { credentialFor, useSimulator } from './world';

const current = useSimulator();
const startServer = useOtherServers();
const testAt = useTestAt();

/** What the button "Test" says when these values are typed in. */
const check = async (changes: ICredentialDataDecryptedObject = {}) =>
	await testCredential({ ...credentialFor(current()), ...changes });

const error = (message: string) => ({ status: 'Error', message });

describe('a good credential', () => {
	test('is told by the service that has no such conversation', async () => {
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
});

describe('the mode', () => {
	test.each<[string, ICredentialDataDecryptedObject, string]>([
		[
			'checkOnly',
			{ mode: 'checkOnly', testNumber: 'nobody' },
			' Mode Check Only: nothing that reaches people or changes data is sent.',
		],
		[
			'redirect',
			{ mode: 'redirect', testNumber: ' 0049 151 123-45678 ' },
			' Mode Redirect: calls and messages go to +4915112345678 instead of their recipients.',
		],
	])('%s is named', async (_, changes, named) => {
		expect(await check(changes)).toEqual({
			...CONNECTED,
			message: `Connected: the service accepts the key for this workspace.${named}`,
		});
		expect(current().requests.map(({ method }) => method)).toEqual(['GET']);
	});
});

describe('what is wrong is said in sentences', () => {
	test.each<[string, ICredentialDataDecryptedObject, string]>([
		[
			'a mode that is not known',
			{ mode: 'Live' },
			'Mode of the credential: expected one of: live, checkOnly, redirect. Correct it and test again.',
		],
		[
			'a key that no header carries',
			{ apiKey: 'schlüssel\nx' },
			'API Key of the credential: expected printable ASCII characters on one line. Correct it and test again.',
		],
	])('%s is refused before anything is sent', async (_, changes, message) => {
		expect(await check(changes)).toEqual(error(message));
		expect(current().requests).toEqual([]);
	});

	test.each<[string, ICredentialDataDecryptedObject, RegExp]>([
		[
			'a number that is none',
			{ mode: 'redirect', testNumber: '0151 1' },
			/^Test Number of the credential: /,
		],
	])('%s is refused before anything is sent', async (_, changes, message) => {
		expect(await check(changes)).toEqual({
			status: 'Error',
			message: expect.stringMatching(message) as string,
		});
		expect(current().requests).toEqual([]);
	});

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
			'This address does not answer like the service (HTTP 404). The answer says: "Not found". Check "Base URL": it is the address that comes before /v1.',
		],
		[
			'a host that does not exist',
			() => ({ baseUrl: 'http://assistant.invalid/api' }),
			'The service could not be reached (ENOTFOUND). Check "Base URL" in the credential, and the network between n8n and the service.',
		],
	])('%s', async (_, changes, message) => {
		expect(await check(changes())).toEqual(error(message));
	});

	test.each([301, 302, 307, 308])('a redirect with %i, without the key', async (status) => {
		const other = await startServer(answerJson(404, { message: 'Conversation not found' }));
		const redirect = answerWith(status, '', 'text/plain', { location: `${other.baseUrl}/api` });
		const result = await testAt(redirect);
		expect(result).toEqual(
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

test('no message holds the key, whatever a server answers', async () => {
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
	);
	const status = fc.constantFrom(200, 201, 302, 400, 401, 402, 403, 404, 418, 429, 500, 503);
	let given: Answerer = answerWith(200);
	const server = await startServer((response, request) => {
		given(response, request);
	});
	await fc.assert(
		fc.asyncProperty(status, body, async (code, answer) => {
			given = answerJson(code, answer);
			const { status: verdict, message } = await check({ baseUrl: server.baseUrl, apiKey: KEY });
			expect(verdict).toBe('Error');
			expect(message).not.toContain(KEY.slice(0, 8));
		}),
	);
	expect(new Set(server.requests.map(({ headers }) => headers['x-api-key']))).toEqual(
		new Set([KEY]),
	);
});

test('it never rejects, whatever a server answers', async () => {
	let given: Answerer = answerWith(200);
	const server = await startServer((response, request) => {
		given(response, request);
	});
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 200, max: 599 }), fc.json(), async (status, body) => {
			given = answerWith(status, body);
			const { message } = await check({ baseUrl: server.baseUrl });
			expect(message).toMatch(/^[A-Z].*\.$/s);
		}),
	);
});
