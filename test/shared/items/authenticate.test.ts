import fc from 'fast-check';

import { AssistantServiceApi } from '../../../credentials/AssistantServiceApi.credentials';
import { authenticateRequest } from '../../../nodes/shared/items/authenticateRequest';
import { address, addressOf, asFolder, BASE, baseUrls, type Given } from './addresses';

const KEY = 'k-0123456789abcdef';
const REFUSED =
	'The Assistant Service API credential is only for addresses under "Base URL", or under /api/v1/data-tables of "n8n URL". Enter such an address, or choose another credential.';

const authenticate = (request: Given, baseUrl: unknown = BASE) =>
	authenticateRequest({ baseUrl, apiKey: KEY }, request);

test('the credential adds the key and the address, and lets nothing be redirected', async () => {
	const { authenticate: ofCredential } = new AssistantServiceApi();
	const request = {
		url: '/v1/a%2Fb',
		method: 'GET',
		headers: { accept: 'x' },
		json: true,
	} as const;
	expect(await ofCredential({ baseUrl: ` ${BASE}/v1/ `, apiKey: ` ${KEY} ` }, request)).toEqual({
		...request,
		baseURL: BASE,
		headers: { accept: 'x', 'x-api-key': KEY },
		followRedirect: false,
		followAllRedirects: false,
		disableFollowRedirect: true,
	});
	expect(request.headers).toEqual({ accept: 'x' });
});

test('a redirect that a request asks for is not followed', () => {
	const request = { uri: `${BASE}/v1`, followRedirect: true, followAllRedirects: true };
	expect(authenticate(request)).toMatchObject({ followRedirect: false, followAllRedirects: false });
});

test.each<[Given, string]>([
	[{}, BASE],
	[{ url: '/v1/x' }, `${BASE}/v1/x`],
	[{ url: 'v1/x?y=1' }, `${BASE}/v1/x?y=1`],
	[{ url: '/v1/..%2Fx' }, `${BASE}/v1/..%2Fx`],
	[{ url: '/v1/x?y=https://a' }, `${BASE}/v1/x?y=https://a`],
	[{ uri: `${BASE}/` }, `${BASE}/`],
	[{ uri: `${BASE}?a=https://evil.com` }, `${BASE}?a=https://evil.com`],
	[{ uri: 'HTTPS://API.Example.com:443/api/v1' }, `${BASE}/v1`],
	[{ uri: 'https://api.example.com/other/../api/v1' }, `${BASE}/v1`],
	[{ uri: `${BASE}/v1/x`, url: `${BASE}/v1/y` }, `${BASE}/v1/y`],
	[{ baseURL: `${BASE}/v1///`, url: '/x' }, `${BASE}/v1/x`],
	[{ baseURL: 'https://api.example.com/api/v1', url: '/x' }, `${BASE}/v1/x`],
])('%j goes to %s', (request, address) => {
	expect(addressOf(authenticate(request)).href).toBe(address);
});

test('a Base URL without TLS is reached by whole addresses, too', () => {
	const uri = 'http://127.0.0.1:3000/api/v1';

	expect(authenticate({ uri }, 'http://127.0.0.1:3000/api')).toMatchObject({ uri });
});

test.each<Given>([
	{ uri: 'http://api.example.com/api/v1' },
	{ uri: 'https://api.example.com:8443/api/v1' },
	{ uri: 'https://api.example.com@evil.com/api/v1' },
	{ uri: 'https://api.example.com.evil.com/api/v1' },
	{ uri: 'https://evil.com\\@api.example.com/api/v1' },
	{ uri: ' https://evil.com/api' },
	{ uri: 'ht\ntps://evil.com/api' },
	{ uri: '\u0000https:api/v1' },
	{ uri: 'ht\ntps:api/v1' },
	{ uri: 'https:api/v1' },
	{ uri: 'https:\\\\evil.com/api' },
	{ uri: 'https://api.example.com' },
	{ uri: 'https://api.example.com/apifoo' },
	{ uri: 'https://api.example.com/api/../v1' },
	{ uri: 'https://api.example.com/api/%2e%2E/v1' },
	{ uri: 'https://api.example.com/api\\..\\v1' },
	{ uri: 'ftp://api.example.com/api' },
	{ url: '//evil.com/api' },
	{ url: '\\\\evil.com/api' },
	{ url: '/\t/evil.com/api' },
	{ url: '/../v1' },
	{ url: '/v1/%2e%2e/%2e%2e/x' },
	{ url: '/v1', uri: 'https://evil.com/api' },
	{ url: 'https://evil.com/api', uri: `${BASE}/v1` },
	{ baseURL: 'https://evil.com/api', url: '/v1' },
	{ baseURL: 'https://api.example.com', url: '/v1' },
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

test('whatever is not refused goes to the Base URL or below it', () => {
	const given = fc.record({ baseURL: address, url: address, uri: address }, { requiredKeys: [] });
	let passed = 0;
	fc.assert(
		fc.property(baseUrls, given, (baseUrl, request) => {
			let result: Given;
			try {
				result = authenticate(request, baseUrl);
			} catch {
				return;
			}
			passed += 1;
			const base = new URL(baseUrl.replace(/\/v1\/$/, ''));
			// n8n's older helpers take either, the newer one only the first.
			for (const sent of [result, { ...result, uri: undefined }, { ...result, url: undefined }]) {
				const { origin, pathname } = addressOf(sent);
				expect(origin).toBe(base.origin);
				expect(asFolder(pathname).startsWith(asFolder(base.pathname))).toBe(true);
			}
		}),
		{ numRuns: 3_000 },
	);
	expect(passed).toBeGreaterThan(100);
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

describe('a proxy that a request names', () => {
	test.each([{ host: 'evil.example', port: 80 }, 'http://evil.example:80'])(
		'gets no key: %j',
		(proxy) => {
			expect(() =>
				authenticateRequest({ baseUrl: BASE, apiKey: KEY }, { url: '/v1', proxy }),
			).toThrow(/sends its keys to no proxy that a node names/);
		},
	);

	test.each([undefined, '', null, false, {}])('is none if it is %j', (proxy) => {
		expect(
			authenticateRequest({ baseUrl: BASE, apiKey: KEY }, { url: '/v1', proxy }).headers,
		).toEqual({ 'x-api-key': KEY });
	});
});
