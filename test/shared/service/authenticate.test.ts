import axios from 'axios';
import fc from 'fast-check';

import { AssistantServiceApi } from '../../../credentials/AssistantServiceApi.credentials';
import {
	authenticateRequest,
	type Addressed,
} from '../../../nodes/shared/service/authenticateRequest';

const BASE = 'https://api.example.com/api';
const N8N = 'http://localhost:5678';
const TABLES = `${N8N}/api/v1/data-tables`;

const CREDENTIAL = {
	...{ baseUrl: BASE, apiKey: 'k-0123456789abcdef', mode: 'live', testNumber: '+4915112345678' },
	...{ contactBook: true, n8nUrl: N8N, n8nApiKey: 'n-0123456789abcdef' },
};
const KEY = { 'x-api-key': CREDENTIAL.apiKey };
const N8N_KEY = { 'X-N8N-API-KEY': CREDENTIAL.n8nApiKey };

const authenticate = (request: Addressed, changes: object = {}) =>
	authenticateRequest({ ...CREDENTIAL, ...changes }, request);

/** Where axios sends a request that n8n's helpers hand on to it. */
const addressOf = ({ baseURL, url, uri }: Addressed): URL =>
	new URL(axios.getUri({ baseURL, url: url ?? uri }));

/** Parts of addresses, so that many of them are almost right. */
const part = fc.constantFrom(
	...['https:', 'http:', 'HTTPS:', 'ftp:'],
	...[':', '/', '//', '\\', '@', '?', '#', ' ', '\t', '\u0000'],
	...['api.example.com', 'API.example.com', 'evil.com', '.evil.com', ':443', ':8443', '%2f', '%2e'],
	...['api', 'apifoo', 'v1', 'x', '..', '.', '%2e%2e', 'a%20b', 'ü', '[::1]', '%'],
);
const address = fc.oneof(
	fc.array(part, { maxLength: 9 }).map((parts) => parts.join('')),
	fc.array(part, { maxLength: 6 }).map((parts) => `${BASE}/${parts.join('')}`),
	fc.webUrl({ withFragments: true, withQueryParameters: true }),
	fc.string(),
);
const baseUrls = fc.oneof(
	fc.constantFrom(BASE, 'https://api.example.com', 'http://127.0.0.1:3000/api/v1/'),
	fc.webUrl({ validSchemes: ['http', 'https'] }),
);
const asFolder = (path: string) => `${path.replace(/\/+$/, '')}/`;

const REFUSED =
	'The Assistant Service API credential is only for addresses under "Base URL", or under /api/v1/data-tables of "n8n URL". Enter such an address, or choose another credential.';
const REFUSED_METHOD =
	'Other nodes can send only GET requests with the Assistant Service API credential. To the service, the mode "Live" allows all. Choose the method GET, or another credential.';

test('the credential adds the key and the address, and lets nothing be redirected', async () => {
	const { authenticate: ofCredential } = new AssistantServiceApi();
	const headers = { accept: 'x' };
	const request = { url: '/v1/a%2Fb', method: 'GET', headers, json: true } as const;
	const redirected = { ...request, followRedirect: true, followAllRedirects: true };
	const entered = { baseUrl: ` ${BASE}/v1/ `, apiKey: ` ${CREDENTIAL.apiKey} ` };
	expect(await ofCredential(entered, redirected)).toEqual({
		...request,
		baseURL: BASE,
		headers: { accept: 'x', ...KEY },
		followRedirect: false,
		followAllRedirects: false,
		disableFollowRedirect: true,
	});
	expect(request.headers).toEqual({ accept: 'x' });
});

test.each<[Addressed, string]>([
	[{}, BASE],
	[{ url: '/v1/..%2Fx' }, `${BASE}/v1/..%2Fx`],
	[{ uri: `${BASE}?a=https://evil.com` }, `${BASE}?a=https://evil.com`],
	[{ uri: 'HTTPS://API.Example.com:443/api/v1' }, `${BASE}/v1`],
	[{ uri: `${BASE}/v1/x`, url: `${BASE}/v1/y` }, `${BASE}/v1/y`],
	[{ baseURL: `${BASE}/v1///`, url: '/x' }, `${BASE}/v1/x`],
])('%j goes to %s', (request, address) => {
	expect(addressOf(authenticate(request)).href).toBe(address);
});

test.each<Addressed>([
	{ uri: 'https://api.example.com@evil.com/api/v1' },
	{ uri: 'https://evil.com\\@api.example.com/api/v1' },
	{ uri: '\u0000https:api/v1' },
	{ uri: 'https://api.example.com/apifoo' },
	{ uri: 'https://api.example.com/api/%2e%2E/v1' },
	{ uri: 'https://api.example.com/api\\..\\v1' },
	{ url: '/\t/evil.com/api' },
	{ url: '/v1/%2e%2e/%2e%2e/x' },
	{ url: '/v1', uri: 'https://evil.com/api' },
	{ baseURL: 'https://api.example.com/api/', url: '../x' },
	{ uri: new URL('https://evil.com/api') as unknown as string },
])('%j is refused', (request) => {
	expect(() => authenticate(request)).toThrow(new Error(REFUSED));
});

test.each([undefined, '', 'api.example.com', 'https://x.example/?a', 'javascript:alert(1)'])(
	'with the Base URL %j nothing is sent',
	(baseUrl) => {
		expect(() => authenticate({ url: '/v1' }, { baseUrl })).toThrow(
			/^"Base URL" of the credential must start with/,
		);
	},
);

test.each([
	'https://api.example.com/a\tpi',
	'https://api.example.com\\api',
	'https://API.example.com/a b',
])('the path of the service goes out below the Base URL %j', (baseUrl) => {
	const { pathname } = addressOf(authenticate({ url: '/v1/x' }, { baseUrl }));
	expect(pathname).toMatch(/^\/a.*\/v1\/x$/);
});

test('a path of the service is never refused, and stays as it is', () => {
	const path = fc
		.array(fc.string({ minLength: 1 }).filter((text) => text !== '.' && text !== '..'))
		.map((segments) => `/v1/${segments.map(encodeURIComponent).join('/')}`);
	fc.assert(
		fc.property(baseUrls, path, (baseUrl, url) => {
			expect(authenticate({ url }, { baseUrl })).toMatchObject({
				url,
				baseURL: baseUrl.replace(/\/v1\/$/, '').replace(/\/+$/, ''),
			});
		}),
	);
});

test('a proxy that a request names gets no key', () => {
	for (const proxy of [{ host: 'evil.example', port: 80 }, 'http://evil.example:80'])
		expect(() => authenticate({ url: '/v1', proxy })).toThrow(
			/sends its keys to no proxy that a node names/,
		);
	for (const proxy of [undefined, '', null, false, {}])
		expect(authenticate({ url: '/v1', proxy }).headers).toEqual(KEY);
});

describe('a mode other than live', () => {
	const send = (method: unknown, changes: object) =>
		authenticate({ url: '/v1/x', method } as Addressed, changes).headers;
	// What the mode can be is in credential.test.ts.
	const closed = [undefined, '', 'checkOnly', 'redirect', 'Live', ['live']];
	const reading = [undefined, '', 'GET', 'get', 'Get'];
	const others = ['POST', 'Patch', 'HEAD', 'GETS', 'XGET', ' GET', 'GET\n', 'GET\r\nPOST', 'ɢᴇᴛ'];

	test.each(closed)('lets other nodes read, and send nothing but a GET: %j', (mode) => {
		for (const method of reading) expect(send(method, { mode })).toEqual(KEY);
		for (const method of [...others, null, ['GET', 'POST'], { toString: () => 'POST' }])
			expect(() => send(method, { mode })).toThrow(new Error(REFUSED_METHOD));
	});

	test.each(closed)('does not limit what the package sends itself: %j', (mode) => {
		expect(send('POST', { mode, isOwnRequest: true })).toEqual(KEY);
		for (const isOwnRequest of [undefined, false, 'true', 1])
			expect(() => send('POST', { mode, isOwnRequest })).toThrow(new Error(REFUSED_METHOD));
	});
});

const ENDS = ['', '/', '/api/v1', '/api/v1/ '];
const ADDRESSES = [N8N, 'https://example.com/n8n'].flatMap((host) =>
	ENDS.map((end): [string, string] => [host, host + end]),
);

test.each(ADDRESSES)("n8n's key goes to the Data Tables of %s, entered as '%s'", (host, n8nUrl) => {
	for (const path of ['', '?limit=1', '/aB3/rows?filter=x']) {
		const baseURL = `${host}/api/v1/data-tables`;
		const whole = baseURL + path;
		for (const request of [{ url: whole }, { uri: whole }, { baseURL, url: path }])
			expect(authenticate({ ...request, method: 'GET' }, { n8nUrl }).headers).toEqual(N8N_KEY);
	}
});

test.each([false, undefined, null, '', 'true', 1])(
	'with the switch %j no key goes to n8n, and unless it is off, other nodes only read',
	(contactBook) => {
		for (const isOwnRequest of [true, false])
			expect(() => authenticate({ url: TABLES }, { contactBook, isOwnRequest })).toThrow(REFUSED);
		const send = (method: string) =>
			authenticate({ url: '/v1/x', method }, { contactBook }).headers;
		expect(send('GET')).toEqual(KEY);
		expect(authenticate({ url: '/v1/x', method: 'POST' }).headers).toEqual(KEY);
		if (contactBook === false) expect(send('POST')).toEqual(KEY);
		else expect(() => send('POST')).toThrow(/can send only GET/);
	},
);

test.each([undefined, '', 'n8n', 5678])('with the n8n URL %j no key goes there', (n8nUrl) => {
	expect(() => authenticate({ url: TABLES }, { n8nUrl })).toThrow(REFUSED);
	expect(authenticate({ url: '/v1/x' }, { n8nUrl }).headers).toEqual(KEY);
});

test.each(['POST', 'PATCH', 'DELETE', 'GETS'])(
	'other nodes only read Data Tables: %s is refused in every mode',
	(method) => {
		const request = { url: `${TABLES}/aB3/rows`, method };
		for (const mode of ['live', 'checkOnly', 'redirect']) {
			expect(() => authenticate(request, { mode })).toThrow(/can send only GET/);
			const { headers } = authenticate(request, { mode, isOwnRequest: true });
			expect(headers).toEqual(N8N_KEY);
		}
	},
);

test.each([
	[`${N8N}/service`, N8N],
	[`${N8N}/api`, `${N8N}/api/v1`],
	['https://example.com/n8n/../a', 'https://example.com/a/n8n'],
])('if %s and %s lie within each other, nothing is sent', (baseUrl, n8nUrl) => {
	for (const isOwnRequest of [true, false])
		for (const url of ['/v1/x', `${baseUrl}/v1/x`, `${n8nUrl}/api/v1/data-tables`])
			expect(() => authenticate({ url }, { baseUrl, n8nUrl, isOwnRequest })).toThrow(
				/lie within each other/,
			);
	expect(authenticate({ url: '/v1/x' }, { baseUrl, n8nUrl, contactBook: false })).toBeDefined();
});

/** Addresses of which many are almost those of the Data Tables. */
const anyAddress = fc.oneof(
	address,
	address.map((rest) => TABLES + rest),
	address.map((rest) => `${TABLES}/${rest}`),
);

test('whatever is not refused has one key, and is at its address', () => {
	const method = fc.constantFrom('GET', 'POST', 'get', 'DELETE');
	const given = fc.record(
		{ baseURL: anyAddress, url: anyAddress, uri: anyAddress, method },
		{ requiredKeys: [] },
	);
	const n8nUrls = fc.oneof(fc.constantFrom(N8N, `${N8N}/api/v1/`, BASE), baseUrls);
	const switches = fc.constantFrom(true, true, false);
	const passed = { 'x-api-key': 0, 'X-N8N-API-KEY': 0 };
	fc.assert(
		fc.property(baseUrls, n8nUrls, switches, given, (baseUrl, n8nUrl, contactBook, request) => {
			let result: ReturnType<typeof authenticate>;
			try {
				result = authenticate(request, { baseUrl, n8nUrl, contactBook });
			} catch {
				return;
			}
			const isOfBook = 'X-N8N-API-KEY' in result.headers;
			expect(Object.keys(result.headers)).toEqual([isOfBook ? 'X-N8N-API-KEY' : 'x-api-key']);
			passed[isOfBook ? 'X-N8N-API-KEY' : 'x-api-key'] += 1;
			if (isOfBook)
				expect([contactBook, request.method ?? 'GET']).toEqual([
					true,
					expect.stringMatching(/^get$/i),
				]);
			const n8n = n8nUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
			const service = baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
			const base = new URL(isOfBook ? `${n8n}/api/v1/data-tables` : service);
			// n8n's older helpers take either, the newer one only the first.
			for (const sent of [result, { ...result, uri: undefined }, { ...result, url: undefined }]) {
				const { origin, pathname } = addressOf(sent);
				expect(origin).toBe(base.origin);
				expect(asFolder(pathname).startsWith(asFolder(base.pathname))).toBe(true);
			}
		}),
		{ numRuns: 5_000 },
	);
	expect(Math.min(...Object.values(passed))).toBeGreaterThan(20);
});

test.each(['..%2fworkflows', '%252e%252e/workflows', 'x%5C..%5Cworkflows'])(
	"n8n's key goes to no path that a server in between may read otherwise: %s",
	(path) => {
		expect(() => authenticate({ url: `${TABLES}/${path}`, method: 'GET' })).toThrow(REFUSED);
	},
);

test('the node reaches its book also if the Base URL cannot be used', () => {
	const own = { baseUrl: 'nonsense', isOwnRequest: true };

	expect(authenticate({ url: TABLES, method: 'POST' }, own).headers).toEqual(N8N_KEY);
	expect(() => authenticate({ url: 'https://elsewhere.example.com' }, own)).toThrow(REFUSED);
});
