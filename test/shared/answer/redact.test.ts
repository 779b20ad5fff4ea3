import fc from 'fast-check';

import { createRedaction, secretsOf } from '../../../nodes/shared/answer/redact';

const redact = (value: unknown, secret: string): unknown => createRedaction([secret])(value);

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

/** What a service may put out instead of the secret. */
const FORMS: Readonly<Record<string, (secret: string) => string>> = {
	'in JSON': (secret) => JSON.stringify({ key: secret }),
	'in JSON with slashes escaped': (secret) => JSON.stringify(secret).replaceAll('/', '\\/'),
	'in a page': (secret) =>
		secret.replace(/[^\w ]/gu, (sign) => (sign === '&' ? '&amp;' : `&#${sign.charCodeAt(0)};`)),
	'as a form sends it': (secret) => new URLSearchParams({ secret }).toString().slice(7),
};

test('no text holds the secret, whichever of its characters are percent-encoded', () => {
	const encoded = fc.tuple(secrets, fc.infiniteStream(fc.boolean())).map(([secret, isEncoded]) => {
		const text = secret.replace(/./gu, (character) =>
			isEncoded.next().value === true
				? Buffer.from(character).toString('hex').replace(/../g, '%$&')
				: character,
		);
		return [secret, text] as const;
	});
	fc.assert(
		fc.property(encoded, ([secret, text]) => {
			expect(redact(`x ${text} x`, secret)).toBe('x ***** x');
		}),
	);
});

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

test.each(Object.entries(FORMS))('no text holds the secret %s', (_, formOf) => {
	const cases = secrets.chain((secret) => fc.tuple(fc.constant(secret), holding(formOf(secret))));
	fc.assert(
		fc.property(cases, ([secret, value]) => {
			const form = formOf(secret);
			const leaks = textsIn(redact(value, secret)).filter(
				(text) => text.includes(secret) || text.includes(form),
			);

			expect(leaks).toEqual([]);
		}),
	);
});

test('a clean value comes back as it is', () => {
	const clean = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('secret'));
	fc.assert(
		fc.property(clean, (value) => {
			expect(redact(value, 'my secret key')).toEqual(value);
		}),
	);
});

test('what has less than 8 characters is no secret', () => {
	const values = fc.tuple(fc.string({ maxLength: 7 }), fc.jsonValue());
	fc.assert(
		fc.property(values, ([secret, value]) => {
			expect(redact(value, secret)).toEqual(value);
		}),
	);
	expect(redact({ id: '3f2b-key1-5d4a' }, 'key1')).toEqual({ id: '3f2b-key1-5d4a' });
});

test.each([
	['k€y/1+2', { link: '/x?key=k%E2%82%ACy%2F1%2B2' }, { link: '/x?key=k%E2%82%ACy%2F1%2B2' }],
	['k€y/1+23', { link: '/x?key=k%E2%82%ACy%2F1%2B23' }, { link: '/x?key=*****' }],
	['api key-1', [{ 'api key-1': ['api key-1'.repeat(5)] }], [{ '*****': ['*****'.repeat(5)] }]],
])('%s in %j', (secret, value, expected) => {
	expect(redact(value, secret)).toEqual(expected);
});

test('a value that is nested 200 deep is cleaned, and nothing is returned of a deeper one', () => {
	const nested = (depth: number, inner: string): unknown => {
		let value: unknown = inner;
		for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value };
		return value;
	};

	expect(redact(nested(200, 'my secret key'), 'my secret key')).toEqual(nested(200, '*****'));
	for (const depth of [201, 100_000])
		expect(redact(nested(depth, 'my secret key'), 'my secret key')).toBeUndefined();
});

test('of a secret that is a part of another, nothing of the longer one is left', () => {
	expect(createRedaction(['my secret', 'my secret key'])('my secret key')).toBe('*****');
});

test('keys and webhook secrets of a credential are secrets, and nothing else of it', () => {
	const secrets = ['apiKey', 'n8nApiKey', 'webhookSecret', 'previousWebhookSecret'];
	const credential = Object.fromEntries(secrets.map((name) => [name, `the ${name}`]));

	const found = secretsOf({ ...credential, baseUrl: 'https://service.example', testNumber: '+49' });

	expect(found).toEqual(Object.values(credential));
});

test('a secret of digits is found in numbers, too', () => {
	const redact = createRedaction(['12345678901']);

	expect(redact({ id: 12345678901, list: [123456789012, 7] })).toEqual({
		id: '*****',
		list: ['*****', 7],
	});
});
