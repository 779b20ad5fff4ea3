import { z } from 'zod';

import type { Field } from '../../../nodes/shared/declaration/field';
import { readFields } from '../../../nodes/shared/request/reading';

/** A field that counts how often its value is checked. */
function counting(place?: Field['place']): { field: Field; checks: () => number } {
	let checks = 0;
	const schema = z.unknown().transform((value) => {
		checks++;
		return { value };
	});
	const property = { displayName: 'Test', name: 'test', type: 'json' as const, default: '{}' };
	return { field: { property, schema, place }, checks: () => checks };
}

/** The checked values of three items of which the last has not the default. */
const readThree = (field: Field): unknown[] =>
	['{}', '{}', '[]'].map((given) => readFields([field], () => given).values.test);

test('the default of a setting is checked once', () => {
	const { field, checks } = counting();

	expect(readThree(field)).toEqual([{ value: '{}' }, { value: '{}' }, { value: '[]' }]);
	expect(checks()).toBe(2);
});

test('what is sent is made anew for each item, also from the default', () => {
	const { field, checks } = counting({ in: 'body', name: 'test' });

	const [first, second] = readThree(field);

	expect(first).toEqual(second);
	expect(first).not.toBe(second);
	expect(checks()).toBe(3);
});
