import {
	customAttributeFields,
	freeAttributeFields,
} from '../../../nodes/shared/declaration/attributes';
import type { Field } from '../../../nodes/shared/declaration/field';
import { REFUSED, valueOf } from '../samples';

function fieldOf(fields: Field[], name: string): Field {
	const field = fields.find(({ property }) => property.name === name);
	if (field === undefined) throw new Error(`There is no field ${name}`);
	return field;
}

describe.each([3, 8] as const)('customField1 to customField%i', (count) => {
	const fields = customAttributeFields(count);
	const { schema: ofFields } = fieldOf(fields, 'customFields');
	const { schema: ofJson } = fieldOf(fields, 'attributesJson');
	const all = Object.fromEntries(
		Array.from({ length: count }, (_, index) => [`customField${index + 1}`, `v${index}`]),
	);

	const cases: [name: string, value: unknown, expected: unknown][] = [
		['all', all, all],
		['one too many', { [`customField${count + 1}`]: 'x' }, REFUSED],
		['an unknown name', { customField1: 'x', firstName: 'Ada' }, REFUSED],
		['__proto__', JSON.parse('{"__proto__":"x"}'), REFUSED],
		['blank values', { customField1: '', customField2: null, customField3: undefined }, undefined],
		['white space', { customField1: '  ', customField2: 'x' }, { customField2: 'x' }],
		['numbers', { customField1: 7, customField2: 0 }, { customField1: '7', customField2: '0' }],
		['an object', { customField1: { a: 1 } }, REFUSED],
		['a list', ['x'], REFUSED],
	];

	test.each(cases)('%s, as fields and as JSON', (_, value, expected) => {
		expect(valueOf(ofFields, value)).toEqual(expected);
		expect(valueOf(ofJson, value)).toEqual(expected);
		expect(valueOf(ofJson, JSON.stringify(value))).toEqual(expected);
	});
});

describe('attributes with free names', () => {
	const fields = freeAttributeFields('parameters');
	const { schema: ofRows } = fieldOf(fields, 'attributes');
	const { schema: ofJson } = fieldOf(fields, 'attributesJson');

	test.each<[name: string, rows: unknown, expected: unknown]>([
		['empty rows', [{ name: '', value: '' }, {}, { name: ' ' }], undefined],
		['a row', [{ name: ' firstName ', value: ' Ada ' }], { firstName: ' Ada ' }],
		['a number', [{ name: 'age', value: 7 }], { age: '7' }],
		['a name without value', [{ name: 'a', value: '' }, { name: 'b' }], { a: '', b: '' }],
		['a value without name', [{ name: '', value: 'Ada' }], REFUSED],
		['the same name twice', [{ name: 'a' }, { name: 'a ', value: '2' }], REFUSED],
		['an object', [{ name: 'a', value: {} }], REFUSED],
		['__proto__', [{ name: '__proto__', value: 'x' }], REFUSED],
		['texts', ['a'], REFUSED],
		['no list', 'a', REFUSED],
	])('rows: %s', (_, values, expected) => {
		expect(valueOf(ofRows, { values })).toEqual(expected);
	});

	test.each<[value: unknown, expected: unknown]>([
		['{"firstName":"Ada","age":7}', { firstName: 'Ada', age: 7 }],
		[{ nested: { a: [1] } }, { nested: { a: [1] } }],
		[{ at: new Date(0), out: undefined }, { at: '1970-01-01T00:00:00.000Z' }],
		['{"__proto__":{"polluted":true},"a":"b"}', REFUSED],
		['{"a":[{"b":{"constructor":null}}]}', REFUSED],
		[new Date(0), REFUSED],
		['[]', REFUSED],
		['null', REFUSED],
		['{"a"', REFUSED],
	])('JSON: %j', (value, expected) => {
		expect(valueOf(ofJson, value)).toEqual(expected);
	});
});
