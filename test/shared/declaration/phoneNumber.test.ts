import fc from 'fast-check';

import { cleanPhoneNumber, phoneNumber } from '../../../nodes/shared/declaration/phoneNumber';
import { anyText } from '../../anyText';
import { valueOf } from '../samples';

const REFUSED = 'refused';

describe('phoneNumber', () => {
	test.each<[input: unknown, expected: string]>([
		['015112345678', '015112345678'],
		[' +49 (151) 123-45.678 ', '+4915112345678'],
		['+49\u00a0151\u202f123\u2011456\u201378', '+4915112345678'],
		['\u200e+49\u00ad151\u200b12345678\ufeff', '+4915112345678'],
		['12345', '12345'],
		['123456789012345', '123456789012345'],
		[4915112345678, '4915112345678'],
		['+49 (030) 123456', '+49030123456'],
	])('%j becomes %s', (input, expected) => {
		expect(valueOf(phoneNumber, input)).toBe(expected);
	});

	test.each<[name: string, inputs: unknown[]]>([
		[
			'a zero in brackets',
			['+49 (0)151 12345678', '0049 ( 0) 151 12345678', '+49\n(0)151 12345678'],
		],
		['zeros that are apart', ['0 049 151 12345', '0 0 49 151 12345678', '+0151123456']],
		['a length that none has', ['1234', '1234567890123456', '', '  ']],
		['a plus behind the first sign', ['++4915112345678', '49+15112345678']],
		[
			'another notation',
			['4,9E+12', '+49 151 12345678 ext. 9', '0151/2345678', '０１５１２３４５６７８'],
		],
		['no such number', [4.9e21, 2 ** 53, 4915112345.5, -4915112345678, Number.NaN, Infinity]],
		['no text', [true, null, undefined, { number: '+4915112345678' }, ['+4915112345678']]],
	])('refused: %s', (_, inputs) => {
		expect(inputs.map((input) => valueOf(phoneNumber, input))).toEqual(inputs.map(() => REFUSED));
	});

	const parts = fc.constantFrom('00', '+49', '(0)', '0');
	const written = fc
		.array(fc.oneof(fc.stringMatching(/^[\d+\-. ()[\]\u00a0\u200b\u2013\u202a]$/), parts), {
			maxLength: 30,
		})
		.map((characters) => characters.join(''));
	const anything = fc.oneof(written, anyText);
	const digitsOf = (value: string): string => value.replace(/\D/g, '');

	test('cleaning keeps every digit in its place, but for a leading 00', () => {
		fc.assert(
			fc.property(anything, (value) => {
				const cleaned = cleanPhoneNumber(value);

				const digits = digitsOf(value);
				const expected =
					cleaned.startsWith('+') && digitsOf(cleaned) !== digits
						? `00${digitsOf(cleaned)}`
						: digitsOf(cleaned);
				expect(expected).toBe(digits);
				expect(cleanPhoneNumber(cleaned)).toBe(cleaned);
			}),
			{ numRuns: 1_000 },
		);
	});

	test('what is accepted is 5 to 15 digits with an optional plus, and is accepted again', () => {
		fc.assert(
			fc.property(fc.oneof(written, fc.double(), fc.integer(), fc.anything()), (value) => {
				const number = valueOf(phoneNumber, value);

				if (number === REFUSED) return;
				expect(number).toMatch(/^\+?\d{5,15}$/);
				expect(valueOf(phoneNumber, number)).toBe(number);
			}),
			{ numRuns: 1_000 },
		);
	});
});
