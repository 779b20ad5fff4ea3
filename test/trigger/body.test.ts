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

const FORM = 'application/x-www-form-urlencoded';

test.each<[name: string, type: string | undefined, parsed: unknown, body?: string, read?: unknown]>(
	[
		['JSON without a type', undefined, {}, '{"a":"ü"}', { a: 'ü' }],
		['JSON sent as a form', FORM, { '{"a":1}': '' }, '{"a":1}', { a: 1 }],
		['a form', FORM, { a: '1' }, 'a=1'],
		['half a text', undefined, {}, '{"a"'],
		['an empty body', undefined, {}, ''],
		['no body', undefined, { a: 1 }],
		['nothing', JSON_TYPE, undefined],
	],
)('%s', (...[, type, parsed, body, read]) => {
	const bytes = body === undefined ? undefined : raw(body);

	expect(readJsonObject(type, parsed, bytes)).toEqual(read);
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
