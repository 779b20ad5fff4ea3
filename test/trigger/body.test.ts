import fc from 'fast-check';

import { readJsonObject } from '../../nodes/AssistantServiceTrigger/body';

const JSON_TYPE = 'application/json';
const raw = (text: string): Buffer => Buffer.from(text);

/** An object that holds another one, and so on, `depth` objects in all. */
function nested(depth: number, inner: unknown = {}): unknown {
	let value = inner;
	for (let level = 1; level < depth; level++) value = { a: value };
	return value;
}

test.each<
	[
		name: string,
		type: string | undefined,
		parsed: unknown,
		body: string | undefined,
		expected: unknown,
	]
>([
	['a parsed body', JSON_TYPE, { a: 1 }, undefined, { a: 1 }],
	['an empty object', JSON_TYPE, {}, undefined, {}],
	['nothing', JSON_TYPE, undefined, undefined, undefined],
	['JSON sent as text', 'text/plain', {}, '{"a":1}', { a: 1 }],
	['JSON without a type', undefined, {}, '{"a":"ü"}', { a: 'ü' }],
	[
		'JSON sent as a form',
		'application/x-www-form-urlencoded',
		{ '{"a":1}': '' },
		'{"a":1}',
		{ a: 1 },
	],
	['a form', 'application/x-www-form-urlencoded', { a: '1' }, 'a=1', undefined],
	['half a text', undefined, {}, '{"a"', undefined],
	['an empty body', undefined, {}, '', undefined],
	['no body', undefined, { a: 1 }, undefined, undefined],
])('%s', (_, type, parsed, body, expected) => {
	expect(readJsonObject(type, parsed, body === undefined ? undefined : raw(body))).toEqual(
		expected,
	);
});

test.each([
	['objects', nested(200), nested(201)],
	['lists', nested(199, [[]]), nested(199, [[[]]])],
])('%s may be nested 200 deep', (_, allowed, tooDeep) => {
	expect(readJsonObject(JSON_TYPE, allowed, undefined)).toBe(allowed);
	expect(readJsonObject(JSON_TYPE, tooDeep, undefined)).toBeUndefined();
});

test('every body is read or refused', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			const isGood = typeof value === 'object' && value !== null && !Array.isArray(value);
			const expected = isGood ? value : undefined;

			expect(readJsonObject(JSON_TYPE, value, undefined)).toBe(expected);
			const text = JSON.stringify(value);
			const read = readJsonObject('text/plain', {}, raw(text));
			expect(JSON.stringify(read)).toBe(isGood ? text : undefined);
		}),
	);
});
