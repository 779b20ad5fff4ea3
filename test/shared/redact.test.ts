import fc from 'fast-check';

import { redact } from '../../nodes/shared/redact';

/** Every text and property name in a JSON value. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

/** A key of printable characters, so that it can be in a header; asterisks are what it is masked with. */
const secrets = fc.stringMatching(/^[!-)+-~]{4,40}$/);
const forms = (secret: string): string[] => [secret, encodeURIComponent(secret), encodeURI(secret)];

/** A JSON value that holds the text in values and in names, at any depth. */
const holding = (text: string): fc.Arbitrary<unknown> => {
	const words = fc.oneof(
		fc.constant(text),
		fc.string(),
		fc.string().map((word) => word + text + word),
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
		{ always: words, tree, [`x${text}`]: fc.constant(1) },
		{ requiredKeys: ['always', 'tree'] },
	);
};

test('no text holds the secret, as it is or percent-encoded', () => {
	const cases = secrets.chain((secret) =>
		fc.tuple(
			fc.constant(secret),
			fc.constantFrom(...forms(secret)).chain((form) => holding(form)),
		),
	);
	fc.assert(
		fc.property(cases, ([secret, value]) => {
			const texts = textsIn(redact(value, secret));

			const leaks = texts.filter((text) => forms(secret).some((form) => text.includes(form)));
			expect(leaks).toEqual([]);
		}),
		{ numRuns: 500 },
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

test.each([
	['sk"quote\\slash', { echo: 'the key sk"quote\\slash is bad' }, { echo: 'the key ***** is bad' }],
	['k€y/1+2', { link: '/x?key=k%E2%82%ACy%2F1%2B2' }, { link: '/x?key=*****' }],
	['key-1', [{ 'key-1': ['key-1key-1'] }], [{ '*****': ['**********'] }]],
	['key-1', 'nothing here', 'nothing here'],
	['key-1', { a: 1, b: null, c: 'key-1' }, { a: 1, b: null, c: '*****' }],
	['abc', { short: 'abc' }, { short: 'abc' }],
	['', { empty: '' }, { empty: '' }],
])('%s in %j', (secret, value, expected) => {
	expect(redact(value, secret)).toEqual(expected);
});

test('a value that has no JSON is left alone', () => {
	expect(redact(undefined, 'my secret key')).toBeUndefined();
});
