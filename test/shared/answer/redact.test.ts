import fc from 'fast-check';

import { createRedaction } from '../../../nodes/shared/answer/redact';

const redact = (value: unknown, secret: string): unknown => createRedaction([secret])(value);

/** Every text and property name in a JSON value. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

/** A key of printable characters, so that it can be in a header; asterisks are what it is masked with. */
const secrets = fc.oneof(
	fc.stringMatching(/^[!-)+-~]{8,40}$/),
	fc.stringMatching(/^[a-z"\\/ äö€%+]{8,20}$/).filter((text) => text.trim() === text),
);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const base64url = (text: string): string => Buffer.from(text).toString('base64url');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const lowerHex = (text: string): string => text.replace(/%../g, (byte) => byte.toLowerCase());

/** What a service may put out instead of the secret. */
const FORMS: Readonly<Record<string, (secret: string) => string>> = {
	'as it is': (secret) => secret,
	'in JSON': (secret) => JSON.stringify({ key: secret }),
	'in JSON with slashes escaped': (secret) => JSON.stringify(secret).replaceAll('/', '\\/'),
	'percent-encoded': encodeURIComponent,
	'percent-encoded in lower case': (secret) => lowerHex(encodeURIComponent(secret)),
	'percent-encoded as an address': encodeURI,
	'as a form sends it': (secret) => new URLSearchParams({ secret }).toString().slice(7),
	'in hex': hex,
	'in upper-case hex': (secret) => hex(secret).toUpperCase(),
	'in base64': base64,
	'in base64 without padding': (secret) => base64(secret).replaceAll('=', ''),
	'in base64url': base64url,
	'in base64 of user and key': (secret) => base64(`user:${secret}`),
	'in base64url amid more': (secret) => base64url(`ab${secret}cdef`),
};

/** A JSON value that holds the text in values and in names, at any depth. */
const holding = (text: string): fc.Arbitrary<unknown> => {
	const words = fc.oneof(
		fc.constant(text),
		fc.string(),
		fc.string().map((word) => `${word} ${text} ${word}`),
	);
	const { tree } = fc.letrec((tie) => ({
		tree: fc.oneof(
			{ maxDepth: 4 },
			words,
			fc.integer(),
			fc.constant(null),
			fc.array(tie('tree'), { maxLength: 4 }),
			fc.dictionary(words, tie('tree'), { maxKeys: 4 }),
		),
	}));
	return fc.record(
		{ always: words, tree, [`x ${text}`]: fc.constant(1) },
		{ requiredKeys: ['always', 'tree'] },
	);
};

/** True if a part of the text decodes to something that holds the secret, at one of the four places of a group. */
const holdsInBase64 = (text: string, secret: string): boolean =>
	(text.match(/[\w+/-]+/g) ?? []).some((part) =>
		[0, 1, 2, 3].some((start) =>
			Buffer.from(part.slice(start), 'base64').includes(Buffer.from(secret)),
		),
	);

test.each(Object.entries(FORMS))('no text holds the secret %s', (_, formOf) => {
	const cases = secrets.chain((secret) => fc.tuple(fc.constant(secret), holding(formOf(secret))));
	fc.assert(
		fc.property(cases, ([secret, value]) => {
			const form = formOf(secret);
			const leaks = textsIn(redact(value, secret)).filter(
				(text) => text.includes(secret) || text.includes(form) || holdsInBase64(text, secret),
			);

			expect(leaks).toEqual([]);
		}),
	);
});

test('in a longer base64 text, at every place, the secret is masked but for its edges', () => {
	const around = fc.string({ unit: 'binary' });
	fc.assert(
		fc.property(secrets, around, around, (secret, before, after) => {
			for (const encode of [base64, base64url]) {
				const text = encode(before + secret + after);
				const clean = redact(text, secret) as string;
				const [start = '', end = ''] = clean.split('*****');

				expect(clean).toContain('*****');
				expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
				const hidden = text.length - start.length - end.length;
				const whole = Math.floor((Buffer.byteLength(secret) * 8) / 6);
				expect(hidden).toBeGreaterThanOrEqual(whole - 1);
			}
		}),
	);
});

test('a clean value comes back as it is', () => {
	const clean = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('secret'));
	fc.assert(
		fc.property(clean, (value) => {
			expect(redact(value, 'my secret key')).toBe(value);
		}),
	);
});

test('what has less than 8 characters is no secret', () => {
	const values = fc.tuple(fc.string({ maxLength: 7 }), fc.jsonValue());
	fc.assert(
		fc.property(values, ([secret, value]) => {
			expect(redact(value, secret)).toBe(value);
		}),
	);
	expect(redact({ id: '3f2b-key1-5d4a' }, 'key1')).toEqual({ id: '3f2b-key1-5d4a' });
});

test.each([
	['sk"quote\\slash', { echo: 'the key sk"quote\\slash is bad' }, { echo: 'the key ***** is bad' }],
	['k€y/1+2', { link: '/x?key=k%E2%82%ACy%2F1%2B2' }, { link: '/x?key=k%E2%82%ACy%2F1%2B2' }],
	['k€y/1+23', { link: '/x?key=k%E2%82%ACy%2F1%2B23' }, { link: '/x?key=*****' }],
	['api key-1', [{ 'api key-1': ['api key-1api key-1'] }], [{ '*****': ['**********'] }]],
	['api key-1', 'nothing here', 'nothing here'],
	['api key-1', { a: 1, b: null, c: 'api key-1' }, { a: 1, b: null, c: '*****' }],
	['api"key/ä', { log: '{"key":"api\\"key\\/\\u00e4"}' }, { log: '{"key":"*****"}' }],
	['', { empty: '' }, { empty: '' }],
])('%s in %j', (secret, value, expected) => {
	expect(redact(value, secret)).toEqual(expected);
});

test('a value that has no JSON is left alone', () => {
	expect(redact(undefined, 'my secret key')).toBeUndefined();
});

describe('values of any size', () => {
	const nested = (depth: number, inner: string): unknown => {
		let value: unknown = inner;
		for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value };
		return value;
	};

	test.each([8_000, 100_000])('nothing is returned of a value that is nested %i deep', (depth) => {
		expect(redact(nested(depth, 'my secret key'), 'my secret key')).toBeUndefined();
	});

	test('a value that is nested 200 deep is cleaned', () => {
		const clean = redact(nested(200, 'my secret key'), 'my secret key');

		expect(clean).toEqual(nested(200, '*****'));
	});

	test('a long text is cleaned', () => {
		const text = 'my secret key, '.repeat(100_000);

		expect(redact({ text }, 'my secret key')).toEqual({ text: '*****, '.repeat(100_000) });
	});
});

test('a secret of digits is found in numbers, too', () => {
	const redact = createRedaction(['12345678901']);

	expect(redact({ id: 12345678901, list: [123456789012, 7] })).toEqual({
		id: '*****',
		list: ['*****2', 7],
	});
});
