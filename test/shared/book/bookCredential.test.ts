import { authenticateBookRequest } from '../../../nodes/shared/book/bookCredential';

const KEY = 'k-0123456789abcdef';

const authenticate = (url: string, baseUrl: unknown) =>
	authenticateBookRequest({ baseUrl, apiKey: KEY, table: 'Contact book' }, { method: 'GET', url });

const HOSTS = ['http://localhost:5678', 'https://example.com/n8n'];
const ENDS = ['', '/', '/api', '/api/v1', '/api/v1/ '];
const BASES = HOSTS.flatMap((host) => ENDS.map((end): [string, string] => [host, host + end]));

test.each(BASES)("the key goes to the public API of %s, entered as '%s'", (host, baseUrl) => {
	const url = `${host}/api/v1/data-tables?limit=1`;
	expect(authenticate(url, baseUrl)).toMatchObject({ url, headers: { 'X-N8N-API-KEY': KEY } });
});

// Whoever may edit workflows can make a webhook at this address and read what it gets.
test.each([
	'/webhook/mine',
	'/webhook-test/mine',
	'/rest/login',
	'/api/v1/../../webhook/mine',
	'/api/v1/%2e%2e/%2e%2e/webhook/mine',
	'/api/v10/data-tables',
	'/api',
	'',
])('the key goes nowhere else at the same address: %j', (path) => {
	for (const [host, baseUrl] of BASES) {
		expect(() => authenticate(host + path, baseUrl)).toThrow(
			'sends its key only to addresses under its Base URL with /api/v1',
		);
	}
});

test.each([undefined, '', 'n8n', 5678])('with the Base URL %j it goes nowhere', (baseUrl) => {
	expect(() => authenticate('http://localhost:5678/api/v1/data-tables', baseUrl)).toThrow(
		'Base URL',
	);
});
