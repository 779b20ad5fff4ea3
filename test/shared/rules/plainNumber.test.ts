import fc from 'fast-check';

import { readListed } from '../../../nodes/shared/declaration/phoneNumber';
import { plainNumber } from '../../../nodes/shared/rules/plainNumber';

/** What a list has for the value, as a number. */
function listedNumber(value: unknown): number {
	const read = readListed(value);
	return 'number' in read ? Number(read.number) : NaN;
}

test.each<[unknown, number]>([
	['+4915112345678', 4915112345678],
	['004915112345678', 4915112345678],
	['4915112345678', 4915112345678],
	[4915112345678, 4915112345678],
	[' +49 151 123-456.78\t', 4915112345678],
	['+1 (555) 123-4567', 15551234567],
	['+123456789012345', 123456789012345],
	['1234567', 1234567],
	['49 (151) 123-456.78', 4915112345678],
	[1_000_000, 1_000_000],
	['+49 15112345678', 4915112345678],
	['+49 151-02345678', 4915102345678],
])('%j is read at once', (value, number) => {
	expect(plainNumber(value)).toBe(number);
	expect(listedNumber(value)).toBe(number);
});

test.each<[string, unknown]>([
	['a zero in brackets after a space', '+49 ( 0 ) 151 12345678'],
	['a national number', '0151 2345678'],
	['the least number of sixteen digits', 1e15],
	['digits of another script', '+٤٩١٥١١٢٣٤٥٦٧٨'],
	['a hundred spaces', `+49${' '.repeat(100)}15112345678`],
	['a long text of digits', '1'.repeat(1_000_000)],
	['a name of every object', '__proto__'],
	['an object that says that it is a number', { valueOf: () => 4915112345678 }],
	['an array', ['+4915112345678']],
])('%s is no number', (_, value) => {
	expect(plainNumber(value)).toBeNaN();
	expect(listedNumber(value)).toBeNaN();
});

test('what is read is what readListed reads', () => {
	const character = fc.constantFrom(...Array.from('0011223456789+ .()[]-\t\n\u00a0\u200b\u0661x'));
	const value = fc.oneof(
		fc
			.tuple(fc.constantFrom('', '+', '00', ' +49 ', '49'), fc.string({ unit: character }))
			.map(([prefix, rest]) => prefix + rest),
		fc.stringMatching(/^(\+|00|)[1-9]([ .()-]{0,2}\d){4,16} ?$/),
		fc.stringMatching(/^\+?\d{5,17}$/),
		fc.integer(),
		fc.maxSafeInteger(),
		fc.double(),
		fc.anything(),
	);
	fc.assert(
		fc.property(value, (written) => {
			const number = plainNumber(written);
			expect(Number.isNaN(number) || number === listedNumber(written)).toBe(true);
		}),
		{ numRuns: 5_000 },
	);
});
