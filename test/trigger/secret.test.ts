import fc from 'fast-check';

import { isSecret } from '../../nodes/AssistantServiceTrigger/authenticate';

const SECRET = 'correct horse battery staple';

test.each([
	['the same', SECRET, true],
	['empty', '', false],
	['absent', undefined, false],
	['null', null, false],
	['a list, as a repeated parameter is', [SECRET], false],
	['an object', { toString: () => SECRET }, false],
	['a number', 7, false],
])('%s', (_, given, expected) => {
	expect(isSecret(given, SECRET)).toBe(expected);
});

test('a text is the secret only if it is the same text', () => {
	const text = fc.string({ unit: 'binary', minLength: 1 });
	fc.assert(
		fc.property(text, text, (given, secret) => {
			expect(isSecret(secret, secret)).toBe(true);
			expect(isSecret(given, secret)).toBe(given === secret);
		}),
	);
});
