import fc from 'fast-check';

import {
	areNested,
	n8nAddress,
	normalizeBaseUrl,
	serviceAddress,
} from '../../../nodes/shared/service/baseUrl';

test.each([
	['https://x.example/api//v1//', 'https://x.example/api'],
	[' \thttps://x.example/v1/\n', 'https://x.example'],
	['https://x.example/v10', 'https://x.example/v10'],
	['https://x.example/apiv1', 'https://x.example/apiv1'],
	['https://x.example/v1/api', 'https://x.example/v1/api'],
	['', ''],
])('%j becomes %j', (given, expected) => {
	expect(normalizeBaseUrl(given)).toBe(expected);
});

test('a slash at the end, or the /v1, makes no difference', () => {
	const path = fc
		.stringMatching(/^(?:\/[a-uw-z]{1,8}){0,3}$/)
		.map((segments) => `https://x.example${segments}`);
	const more = fc.constantFrom('', '/', '//', '/v1', '/v1/', '/v1//', ' ', '/ ');
	fc.assert(
		fc.property(path, more, (baseUrl, added) => {
			expect(normalizeBaseUrl(`${baseUrl}${added}`)).toBe(baseUrl);
		}),
	);
});

test.each(['https://v1', 'http:///v1/', ' /v1', ''])('%j is no address', (given) => {
	expect(serviceAddress.safeParse(given).success).toBe(false);
});

test.each([
	['http://localhost:5678', 'http://localhost:5678'],
	[' http://localhost:5678/ ', 'http://localhost:5678'],
	['http://localhost:5678/api/v1', 'http://localhost:5678'],
	['https://x.example/n8n//api/v1//', 'https://x.example/n8n'],
	['https://x.example/api', 'https://x.example/api'],
	['https://x.example/v1', 'https://x.example/v1'],
])("n8n's own address, entered as %j, is %j", (given, expected) => {
	expect(n8nAddress.parse(given)).toBe(expected);
});

test.each(['http://api/v1', 'n8n', '', 5678, 'https://x/?a'])('%j is none of n8n', (given) => {
	expect(n8nAddress.safeParse(given).success).toBe(false);
});

test.each([
	['https://x.example', 'https://x.example', true],
	['https://x.example/a', 'https://x.example', true],
	['https://x.example', 'https://X.example:443/a/b', true],
	['https://x.example/a/../b', 'https://x.example/b/c', true],
	['https://x.example/a', 'https://x.example/ab', false],
	['https://x.example/a', 'https://x.example/b', false],
	['https://x.example', 'http://x.example', false],
	['http://x.example:80', 'http://x.example:5678', false],
])('%s and %s lie within each other: %s', (one, other, expected) => {
	expect([areNested(one, other), areNested(other, one)]).toEqual([expected, expected]);
});
