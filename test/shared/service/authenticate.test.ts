import fc from 'fast-check';

import { AssistantServiceApi } from '../../../credentials/AssistantServiceApi.credentials';
import { authenticateRequest } from '../../../nodes/shared/service/authenticateRequest';
import { addressOf, BASE, baseUrls, type Given } from './addresses';

const KEY = 'k-0123456789abcdef';
const REFUSED =
	'The Assistant Service API credential is only for addresses under "Base URL", or under /api/v1/data-tables of "n8n URL". Enter such an address, or choose another credential.';

const authenticate = (request: Given, baseUrl: unknown = BASE) =>
	authenticateRequest({ baseUrl, apiKey: KEY }, request);

test('the credential adds the key and the address, and lets nothing be redirected', async () => {
	const { authenticate: ofCredential } = new AssistantServiceApi();
	const headers = { accept: 'x' };
	const request = { url: '/v1/a%2Fb', method: 'GET', headers, json: true } as const;
	const redirected = { ...request, followRedirect: true, followAllRedirects: true };
	expect(await ofCredential({ baseUrl: ` ${BASE}/v1/ `, apiKey: ` ${KEY} ` }, redirected)).toEqual({
		...request,
		baseURL: BASE,
		headers: { accept: 'x', 'x-api-key': KEY },
		followRedirect: false,
		followAllRedirects: false,
		disableFollowRedirect: true,
	});
	expect(request.headers).toEqual({ accept: 'x' });
});

test.each<[Given, string]>([
	[{}, BASE],
	[{ url: '/v1/..%2Fx' }, `${BASE}/v1/..%2Fx`],
	[{ uri: `${BASE}?a=https://evil.com` }, `${BASE}?a=https://evil.com`],
	[{ uri: 'HTTPS://API.Example.com:443/api/v1' }, `${BASE}/v1`],
	[{ uri: 'https://api.example.com/other/../api/v1' }, `${BASE}/v1`],
	[{ uri: `${BASE}/v1/x`, url: `${BASE}/v1/y` }, `${BASE}/v1/y`],
	[{ baseURL: `${BASE}/v1///`, url: '/x' }, `${BASE}/v1/x`],
])('%j goes to %s', (request, address) => {
	expect(addressOf(authenticate(request)).href).toBe(address);
});

test.each<Given>([
	{ uri: 'http://api.example.com/api/v1' },
	{ uri: 'https://api.example.com@evil.com/api/v1' },
	{ uri: 'https://evil.com\\@api.example.com/api/v1' },
	{ uri: ' https://evil.com/api' },
	{ uri: '\u0000https:api/v1' },
	{ uri: 'https:api/v1' },
	{ uri: 'https://api.example.com' },
	{ uri: 'https://api.example.com/apifoo' },
	{ uri: 'https://api.example.com/api/%2e%2E/v1' },
	{ uri: 'https://api.example.com/api\\..\\v1' },
	{ uri: 'ftp://api.example.com/api' },
	{ url: '//evil.com/api' },
	{ url: '/\t/evil.com/api' },
	{ url: '/v1/%2e%2e/%2e%2e/x' },
	{ url: '/v1', uri: 'https://evil.com/api' },
	{ url: 'https://evil.com/api', uri: `${BASE}/v1` },
	{ baseURL: 'https://evil.com/api', url: '/v1' },
	{ baseURL: 'https://api.example.com/api/', url: '../x' },
])('%j is refused', (request) => {
	expect(() => authenticate(request)).toThrow(new Error(REFUSED));
});

test('an address that is no text is refused', () => {
	const request = { uri: new URL('https://evil.com/api') } as unknown as Given;
	expect(() => authenticate(request)).toThrow(new Error(REFUSED));
});

test.each([undefined, '', 'api.example.com', 'https://x.example/?a', 'javascript:alert(1)'])(
	'with the Base URL %j nothing is sent',
	(baseUrl) => {
		const empty = (baseUrl ?? null) as unknown;
		expect(() => authenticate({ url: '/v1' }, empty)).toThrow(
			/^"Base URL" of the credential must start with/,
		);
	},
);

test.each([
	'https://api.example.com/a\tpi',
	'https://api.example.com\\api',
	'https://API.example.com/a b',
])('the path of the service goes out below the Base URL %j', (baseUrl) => {
	expect(addressOf(authenticate({ url: '/v1/x' }, baseUrl)).pathname).toMatch(/^\/a.*\/v1\/x$/);
});

test('a path of the service is never refused, and stays as it is', () => {
	const path = fc
		.array(fc.string({ minLength: 1 }).filter((text) => text !== '.' && text !== '..'))
		.map((segments) => `/v1/${segments.map(encodeURIComponent).join('/')}`);
	fc.assert(
		fc.property(baseUrls, path, (baseUrl, url) => {
			expect(authenticate({ url }, baseUrl)).toMatchObject({
				url,
				baseURL: baseUrl.replace(/\/v1\/$/, '').replace(/\/+$/, ''),
			});
		}),
	);
});

const sendBy = (proxy: unknown) =>
	authenticateRequest({ baseUrl: BASE, apiKey: KEY }, { url: '/v1', proxy });

test('a proxy that a request names gets no key', () => {
	for (const proxy of [{ host: 'evil.example', port: 80 }, 'http://evil.example:80'])
		expect(() => sendBy(proxy)).toThrow(/sends its keys to no proxy that a node names/);
	for (const none of [undefined, '', null, false, {}])
		expect(sendBy(none).headers).toEqual({ 'x-api-key': KEY });
});

describe('a mode other than live', () => {
	const send = (mode: unknown, method?: string) =>
		authenticateRequest(
			{ baseUrl: BASE, apiKey: KEY, mode, testNumber: '+4915112345678' },
			{ url: '/v1/x', ...(method !== undefined && { method }) },
		);
	const REFUSED_METHOD =
		'Other nodes can send only GET requests with the Assistant Service API credential. To the service, the mode "Live" allows all. Choose the method GET, or another credential.';
	// What the mode can be is in credential.test.ts.
	const closed = [undefined, '', 'checkOnly', 'redirect', 'Live', ['live']];
	const reading = [undefined, '', 'GET', 'get', 'Get'];
	const others = ['POST', 'Patch', 'HEAD', 'GETS', 'XGET', ' GET', 'GET\n', 'GET\r\nPOST', 'ɢᴇᴛ'];

	test.each(closed)('lets other nodes read, and send nothing but a GET: %j', (mode) => {
		for (const method of reading) {
			expect(send(mode, method).headers).toEqual({ 'x-api-key': KEY });
		}
		for (const method of [...others, null, ['GET', 'POST'], { toString: () => 'POST' }]) {
			expect(() => send(mode, method as unknown as string)).toThrow(new Error(REFUSED_METHOD));
		}
	});

	test.each(closed)('does not limit what the package sends itself: %j', (mode) => {
		const credential = { baseUrl: BASE, apiKey: KEY, mode, isOwnRequest: true };
		const request = { url: '/v1/x', method: 'POST' };
		expect(authenticateRequest(credential, request).headers).toEqual({ 'x-api-key': KEY });
		for (const isOwnRequest of [undefined, false, 'true', 1]) {
			expect(() => authenticateRequest({ ...credential, isOwnRequest }, request)).toThrow(
				new Error(REFUSED_METHOD),
			);
		}
	});

	test('live lets other nodes send', () => {
		expect(send('live', 'POST').headers).toEqual({ 'x-api-key': KEY });
	});
});
