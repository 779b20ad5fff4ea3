import fc from 'fast-check';

import { authenticateRequest } from '../../../nodes/shared/service/authenticateRequest';
import { address, addressOf, asFolder, BASE, baseUrls, type Given } from './addresses';

const KEY = 'k-0123456789abcdef';
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

const REFUSED = /is only for addresses under "Base URL", or under/;

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

// Who may edit workflows can make a webhook at this address and read what it gets.
test.each([
	'/webhook/mine',
	'/rest/login',
	'/api/v1/workflows',
	'/api/v1/data-tables/../../../webhook/mine',
	'/api/v1/data-tables/%2e%2e/%2e%2e/%2e%2e/webhook/mine',
	'/api/v1/data-tables-of-mine',
	'/api/v1',
	'',
])('no key goes elsewhere at the address of n8n: %j', (path) => {
	for (const [host, n8nUrl] of ADDRESSES)
		expect(() => authenticate({ url: host + path }, { n8nUrl })).toThrow(REFUSED);
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
	[`${N8N}/api/v1/data-tables`, N8N],
	['https://example.com/n8n/../a', 'https://example.com/a/n8n'],
	['https://example.com', 'https://example.com/n8n'],
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
