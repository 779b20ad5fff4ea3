import { missingPlaceholders } from '../../../nodes/AssistantService/resources/msgapp';

test.each<[message: unknown, attributes: unknown, missing: string[]]>([
	['Hello {first}', { First: 'Ada' }, ['first']],
	['Hello {first} {last}', { first: 'Ada' }, ['last']],
	['{b} {a} {b}', undefined, ['b', 'a']],
	['Hello {{first}}', {}, ['first']],
	['Hello {first-name}, {order.id}, {_x}', {}, ['first-name', 'order.id', '_x']],
	['Grüße {Straße}', {}, ['Straße']],
	['Hello {first', {}, []],
	['{} { } {1} { a}', {}, []],
	['{"a": {"b": 1}}', {}, []],
	['Hello {first name}', { 'first name': 'Ada' }, []],
	['{constructor} {toString} {__proto__}', {}, ['constructor', 'toString', '__proto__']],
	['Hello', null, []],
	['Hello {first}', ['first'], ['first']],
	[7, {}, []],
])('%j with %j lacks %j', (message, attributes, missing) => {
	expect(missingPlaceholders(message, attributes)).toEqual(missing);
});
