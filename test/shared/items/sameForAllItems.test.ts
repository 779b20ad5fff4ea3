import fc from 'fast-check';

import { isSameForAllItems } from '../../../nodes/shared/items/parameterReader';

test.each([
	[undefined],
	['+4915112345678, +15551234567'],
	['costs 5 $json'],
	["={{ $('Read List').all().map(({ json }) => json.phone).filter(Boolean) }}"],
	['={{ $("Read List").first().json.numbers }},{{ $(\'Other List\').last().json.numbers }}'],
	['={{ $input.all().map(({ json }) => json.phone) }}'],
	["={{ $( 'Read List' )\n\t.all()\n\t.map(({ json }) => json.phone.replace(/\\D/g, '')) }}"],
	["={{ [$('A').first().json.one, $input . last ( ).json.other] }}"],
	[{ values: [{ days: [1, 2], from: '09:00', to: "={{ $('Hours').first().json.to }}" }] }],
])('is the same for all items: %j', (entered) => {
	expect(isSameForAllItems(entered)).toBe(true);
});

test.each([
	['={{ $json.list }}'],
	["={{ $('Read List').item.json.list }}"],
	["={{ $('Read List').all()[$itemIndex].json.list }}"],
	["={{ $('Read List').first($itemIndex).json.list }}"],
	["={{ $(['Read List', 'Other List'][0]).all() }}"],
	["={{ $('Read \\' + $json.name + '\\').all() }}"],
	['={{ $now.toISO() }}'],
	["={{ '$(' + $json.list + ').all(' }}"],
	['={{ \\u0024json.list }}'],
	['={{ this["\\x24json"].list }}'],
	[{ values: [{ days: [], from: '={{ $json.from }}', to: '18:00' }] }],
])('may differ by item: %j', (entered) => {
	expect(isSameForAllItems(entered)).toBe(false);
});

test('an expression with anything of the item in it may differ by item', () => {
	const pieces = fc.constantFrom(
		...["$('A').all()", '$("', "$('", "').all(", '").first(', '$input.last()', "'", '"', '\\', ' '],
	);
	const text = fc.array(pieces, { maxLength: 10 }).map((parts) => parts.join(''));
	fc.assert(
		fc.property(text, text, (before, after) => {
			expect(isSameForAllItems(`={{ ${before}$json.list${after} }}`)).toBe(false);
		}),
		{ numRuns: 1_000 },
	);
});
