import fc from 'fast-check';

import { readJson } from '../../../nodes/shared/declaration/json';

/** A list in a list in a list ..., as many of them as `depth`. */
const nestedText = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

function nested(depth: number, around: (value: object) => object): object {
	let value = {};
	for (let level = 1; level < depth; level += 1) value = around(value);
	return value;
}

const nestedObject = (depth: number) => nested(depth, (value) => ({ value }));

/** Small in memory, and 2 ** depth values in JSON. */
const sharedObject = (depth: number) => nested(depth, (value) => ({ a: value, b: value }));

const circular: Record<string, unknown> = {};
circular.self = { list: [circular] };

const throwing = {
	get name(): string {
		throw new Error('cannot be read');
	},
};

const problemOf = (given: unknown): unknown => {
	const read = readJson(given);
	return read.kind === 'unexpected' ? read.problem : undefined;
};

test.each<[given: unknown, value: unknown]>([
	['{"a":[1,"x",null,true]}', { a: [1, 'x', null, true] }],
	[null, null],
	[{ a: [1] }, { a: [1] }],
	[{ left: 'x', out: undefined }, { left: 'x' }],
	[{ at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
	[{ at: { toJSON: () => '1970-01-01T00:00:00.000Z' } }, { at: '1970-01-01T00:00:00.000Z' }],
])('%p is read as %p', (given, value) => {
	expect(readJson(given)).toEqual({ kind: 'read', value });
});

test('a property called __proto__ is one like others', () => {
	for (const given of ['{"__proto__":"x"}', JSON.parse('{"__proto__":"x"}') as unknown]) {
		const read = readJson(given);

		expect(JSON.stringify(read)).toBe('{"kind":"read","value":{"__proto__":"x"}}');
		expect({}).not.toHaveProperty('x');
	}
});

test.each([
	['{"a": "x\ny"}', 'Bad control character in string literal in JSON at line 1, column 9'],
	[
		'{\r\n  "a": 1\r\n  "b": 2\r\n}',
		"Expected ',' or '}' after property value in JSON at line 3, column 3",
	],
	['{"a": undefined, "b": "c"}', `Unexpected token 'u', "{"a": undefined,"...`],
	['\ufeff{"a": 1}', `Unexpected token '\\ufeff', "\\ufeff{"a": 1}"`],
])('%j is no JSON: %s', (given, where) => {
	expect(problemOf(given)).toBe(`no valid JSON: ${where}`);
});

test.each(['{"a": "#N\\/A"}', '["at #DIV\\/0!"]', '{"a": [object Object]}', '["Invalid Date"]'])(
	'what is lost in %s is found',
	(given) => {
		expect(problemOf(given)).toMatch(/^expected text, but ".+" stands in it: correct /);
	},
);

test('what is wrong with any text is said shortly, and where', () => {
	const damaged = fc
		.tuple(fc.json(), fc.nat(), fc.constantFrom('"', '\n', '{', ',', 'x', '\0'))
		.map(([json, at, odd]) => json.slice(0, at % json.length) + odd + json.slice(at % json.length));
	fc.assert(
		fc.property(damaged, (text) => {
			const read = readJson(text);
			if (read.kind !== 'unexpected') return;
			const { problem } = read;
			const [, line = 1, column = 1] = /line (\d+), column (\d+)$/.exec(problem) ?? [];
			expect(problem).toMatch(/^no valid JSON: .*(?:line \d+, column \d+|"(?:\.{3})?|input)$/s);
			expect(text.split('\n')[Number(line) - 1]?.length).toBeGreaterThanOrEqual(Number(column) - 1);
			expect(problem.length).toBeLessThan(150);
		}),
		{ numRuns: 1_000 },
	);
});

test.each<[name: string, given: unknown]>([
	['undefined', undefined],
	['a function in a list', [() => 'x']],
	['a BigInt', { a: 1n }],
	['Infinity', [Infinity]],
	['an object in itself', circular],
	['a getter that throws', throwing],
	['a toJSON that throws', { toJSON: () => throwing.name }],
	['an object of 2 ** 100 values', sharedObject(100)],
])('%s is nothing that JSON can hold', (_, given) => {
	expect(problemOf(given)).toMatch(/^expected values that JSON can hold/);
});

test.each<[name: string, make: (depth: number) => unknown]>([
	['text', nestedText],
	['a list', (depth) => JSON.parse(nestedText(depth)) as unknown],
	['an object', nestedObject],
	['what toJSON gives', (depth) => ({ toJSON: () => nestedObject(depth) })],
])('%s may be nested 200 deep, and no deeper', (_, make) => {
	expect(problemOf(make(200))).toBeUndefined();
	for (const depth of [201, 8_000, 100_000]) {
		expect(problemOf(make(depth))).toBe('expected values nested at most 200 deep');
	}
});
