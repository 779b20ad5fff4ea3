import fc from 'fast-check';

import { normalizeBaseUrl, readBaseUrl } from '../../../nodes/shared/request/baseUrl';

test.each([
	['https://x.example/api', 'https://x.example/api'],
	['https://x.example/api/', 'https://x.example/api'],
	['https://x.example/api///', 'https://x.example/api'],
	['https://x.example/api/v1', 'https://x.example/api'],
	['https://x.example/api/v1/', 'https://x.example/api'],
	['https://x.example/api//v1//', 'https://x.example/api'],
	[' \thttps://x.example/v1/\n', 'https://x.example'],
	['https://x.example', 'https://x.example'],
	['http://127.0.0.1:3000/v1', 'http://127.0.0.1:3000'],
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
	expect(() => readBaseUrl(given)).toThrow(/^The Base URL must start with http/);
});
