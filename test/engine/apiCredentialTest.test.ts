import fc from 'fast-check';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { answerWith, useOtherServers, type Answerer } from '../otherServer';
import {
	answerJson,
	CONNECTED,
	KEY,
	testContext,
	testCredential,
	useTestAt,
} from './apiCredential';
import { credentialFor, useSimulator } from './world';

const current = useSimulator();
const startServer = useOtherServers();
const testAt = useTestAt();

/** What the button "Test" says when these values are typed in. */
const check = async (changes: ICredentialDataDecryptedObject = {}) =>
	await testCredential({ ...credentialFor(current()), ...changes });

const SECRET = 'correct horse, battery & staple';

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
		['a short webhook secret', { webhookSecret: 'x'.repeat(15) }, /^Webhook Secret: .* 16 /],
		['a long one', { webhookSecret: 'x'.repeat(4_097) }, /^Webhook Secret: .* 4096 /],
		['white space before it', { webhookSecret: ` ${SECRET}` }, /^Webhook Secret: .*white space/],
		['white space after it', { webhookSecret: `${SECRET}\n` }, /^Webhook Secret: .*white space/],
		['a line break within it', { webhookSecret: `${SECRET}\nx` }, /^Webhook Secret: .*ASCII/],
		['an umlaut in it', { webhookSecret: `${SECRET} für` }, /^Webhook Secret: .*ASCII/],
		['one that is no text', { webhookSecret: 1234567890123456 }, /^Webhook Secret: expected text/],
		['the previous one', { previousWebhookSecret: 'short' }, /^Previous Webhook Secret: .* 16 /],
		['no header name', { webhookSecret: SECRET, webhookHeader: '' }, /^Webhook Header is empty\./],
		...['x secret', 'x-secret:', 'x-sécret', 'x'.repeat(4_097)].map(
			(webhookHeader): [string, ICredentialDataDecryptedObject, RegExp] => [
				`the header name ${webhookHeader.slice(0, 9)}`,
				{ webhookSecret: SECRET, webhookHeader },
				/^Webhook Header: expected/,
			],
		),
	])('%s is refused before anything is sent', async (_, changes, message) => {
		const header = { webhookHeader: 'x-webhook-secret' };
		expect(await check({ ...header, ...changes })).toEqual({
			status: 'Error',
			message: expect.stringMatching(message) as string,
		});
		expect(current().requests).toEqual([]);
	});

	test.each<ICredentialDataDecryptedObject>([
		{ webhookSecret: SECRET, webhookHeader: 'X_Secret.1' },
		{ webhookSecret: SECRET.slice(0, 16), previousWebhookSecret: 'y'.repeat(4_096) },
		{ webhookSecret: '', previousWebhookSecret: ' ', webhookHeader: '' },
	])('%j can be used', async (webhook) => {
		expect(await check({ webhookHeader: 'x-webhook-secret', ...webhook })).toEqual(CONNECTED);
	});

	test.each<[string, () => ICredentialDataDecryptedObject, string]>([
		[
			'a wrong key',
			() => ({ apiKey: 'wrong' }),
			'The API key is not valid (HTTP 401). The answer says: "API key not valid". Enter the API key of this workspace, and check that the Workspace ID belongs to it.',
		],
		[
			'a key of another workspace',
			() => ({ apiKey: current().forbiddenApiKey }),
			'The API key may not use this workspace (HTTP 403). The answer says: "Forbidden". Enter the API key of this workspace, or the ID of the workspace that the key belongs to.',
		],
		[
			'an address without its prefix, and a wrong key',
			() => ({ baseUrl: new URL(current().baseUrl).origin, apiKey: 'wrong' }),
			'This address does not answer like the service (HTTP 404). The answer says: "Not found". Check the Base URL: it is the address that comes before /v1. If it is right, check the Workspace ID.',
		],
		[
			'a host that does not exist',
			() => ({ baseUrl: 'http://assistant.invalid/api' }),
			'The host of the Base URL was not found (ENOTFOUND). Check how it is written, and whether n8n can look it up.',
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
				`This address redirects to another one, and the key is not sent there (HTTP ${status}). Enter the address that it leads to as Base URL, e.g. with https:// instead of http://.`,
			),
		);
		expect(other.requests).toEqual([]);
	});

	test('a certificate that is not trusted', async () => {
		// What n8n's helper throws then; the private key of a certificate does not belong into a repository.
		const refused = Object.assign(new Error('self-signed certificate'), {
			code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
		});
		const helpers = { ...testContext().helpers, request: () => Promise.reject(refused) };
		const context = { ...testContext(), helpers };
		expect(await testCredential(credentialFor(current()), context)).toEqual(
			error(
				'No secure connection to the service could be made (DEPTH_ZERO_SELF_SIGNED_CERT). Check that the Base URL begins with the right one of http:// and https://, and that n8n trusts the certificate of this host.',
			),
		);
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
				'The service did not answer in time (ETIMEDOUT). Check the Base URL, and that no firewall stands between n8n and the service. Then test again.',
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
