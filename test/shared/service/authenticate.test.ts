import axios from 'axios';
import fc from 'fast-check';

import { AssistantServiceApi } from '../../../credentials/AssistantServiceApi.credentials';
import { authenticateRequest } from '../../../nodes/shared/service/authenticateRequest';

const BASE = 'https://api.example.com/api';

/** Where a request goes, as n8n's helpers take it. */
interface Given {
	baseURL?: string;
	url?: string;
	uri?: string;
}

/** Where axios sends a request that n8n's helpers hand on to it. */
const addressOf = ({ baseURL, url, uri }: Given): URL =>
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

const KEY = 'k-0123456789abcdef';
const REFUSED =
	'The Assistant Service API credential is only for addresses under "Base URL", or under /api/v1/data-tables of "n8n URL". Enter such an address, or choose another credential.';

const authenticateForService = (request: Given, baseUrl: unknown = BASE) =>
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
	[{ uri: `${BASE}/v1/x`, url: `${BASE}/v1/y` }, `${BASE}/v1/y`],
	[{ baseURL: `${BASE}/v1///`, url: '/x' }, `${BASE}/v1/x`],
])('%j goes to %s', (request, address) => {
	expect(addressOf(authenticateForService(request)).href).toBe(address);
});

test.each<Given>([
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
])('%j is refused', (request) => {
	expect(() => authenticateForService(request)).toThrow(new Error(REFUSED));
});

test('an address that is no text is refused', () => {
	const request = { uri: new URL('https://evil.com/api') } as unknown as Given;
	expect(() => authenticateForService(request)).toThrow(new Error(REFUSED));
});

test.each([undefined, '', 'api.example.com', 'https://x.example/?a', 'javascript:alert(1)'])(
	'with the Base URL %j nothing is sent',
	(baseUrl) => {
		const empty = (baseUrl ?? null) as unknown;
		expect(() => authenticateForService({ url: '/v1' }, empty)).toThrow(
			/^"Base URL" of the credential must start with/,
		);
	},
);

test.each([
	'https://api.example.com/a\tpi',
	'https://api.example.com\\api',
	'https://API.example.com/a b',
])('the path of the service goes out below the Base URL %j', (baseUrl) => {
	expect(addressOf(authenticateForService({ url: '/v1/x' }, baseUrl)).pathname).toMatch(
		/^\/a.*\/v1\/x$/,
	);
});

test('a path of the service is never refused, and stays as it is', () => {
	const path = fc
		.array(fc.string({ minLength: 1 }).filter((text) => text !== '.' && text !== '..'))
		.map((segments) => `/v1/${segments.map(encodeURIComponent).join('/')}`);
	fc.assert(
		fc.property(baseUrls, path, (baseUrl, url) => {
			expect(authenticateForService({ url }, baseUrl)).toMatchObject({
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

const N8N_KEY = 'n-0123456789abcdef';
const N8N = 'http://localhost:5678';
const TABLES = `${N8N}/api/v1/data-tables`;

const CREDENTIAL = {
	...{ baseUrl: BASE, apiKey: KEY, mode: 'live' },
	...{ contactBook: true, n8nUrl: N8N, n8nApiKey: N8N_KEY },
};

interface Request extends Given {
	readonly method?: string;
}

const authenticate = (request: Request, changes: object = {}) =>
	authenticateRequest({ ...CREDENTIAL, ...changes }, request);

const ENDS = ['', '/', '/api/v1', '/api/v1/ '];
const ADDRESSES = [N8N, 'https://example.com/n8n'].flatMap((host) =>
	ENDS.map((end): [string, string] => [host, host + end]),
);

test.each(ADDRESSES)("n8n's key goes to the Data Tables of %s, entered as '%s'", (host, n8nUrl) => {
	for (const path of ['', '?limit=1', '/aB3/rows?filter=x']) {
		const baseURL = `${host}/api/v1/data-tables`;
		for (const request of [
			{ url: baseURL + path },
			{ uri: baseURL + path },
			{ baseURL, url: path },
		]) {
			const { headers } = authenticate({ ...request, method: 'GET' }, { n8nUrl });
			expect(headers).toEqual({ 'X-N8N-API-KEY': N8N_KEY });
		}
	}
});

test.each([false, undefined, null, '', 'true', 1])(
	'with the switch %j no key goes to n8n',
	(contactBook) => {
		for (const isOwnRequest of [true, false]) {
			expect(() => authenticate({ url: TABLES }, { contactBook, isOwnRequest })).toThrow(REFUSED);
		}
	},
);

test.each([undefined, '', 'n8n', 5678])('with the n8n URL %j no key goes there', (n8nUrl) => {
	expect(() => authenticate({ url: TABLES }, { n8nUrl })).toThrow(REFUSED);
	expect(authenticate({ url: '/v1/x' }, { n8nUrl }).headers).toEqual({ 'x-api-key': KEY });
});

test.each(['POST', 'PATCH', 'DELETE', 'GETS'])(
	'other nodes only read Data Tables: %s is refused in every mode',
	(method) => {
		const request = { url: `${TABLES}/aB3/rows`, method };
		for (const mode of ['live', 'checkOnly', 'redirect']) {
			expect(() => authenticate(request, { mode })).toThrow(/can send only GET/);
			const { headers } = authenticate(request, { mode, isOwnRequest: true });
			expect(headers).toEqual({ 'X-N8N-API-KEY': N8N_KEY });
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

test.each([undefined, null, '', 'true', 1])(
	'other nodes only read while the switch of the book is %j',
	(contactBook) => {
		const send = (method: string) => authenticate({ url: `${BASE}/v1/x`, method }, { contactBook });

		expect(() => send('POST')).toThrow(/can send only GET/);
		expect(send('GET').headers).toEqual({ 'x-api-key': KEY });
	},
);

test.each(['..%2fworkflows', '%252e%252e/workflows', 'x%5C..%5Cworkflows'])(
	"n8n's key goes to no path that a server in between may read otherwise: %s",
	(path) => {
		expect(() => authenticate({ url: `${TABLES}/${path}`, method: 'GET' })).toThrow(REFUSED);
	},
);

test('the node reaches its book also if the Base URL cannot be used', () => {
	const own = { baseUrl: 'nonsense', isOwnRequest: true };

	expect(authenticate({ url: TABLES, method: 'POST' }, own).headers).toEqual({
		'X-N8N-API-KEY': N8N_KEY,
	});
	expect(() => authenticate({ url: 'https://elsewhere.example.com' }, own)).toThrow(REFUSED);
});
