import fc from 'fast-check';

import {
	bareNumber,
	forgetNumbers,
	readNumbers,
	readList,
} from '../../../nodes/shared/outreach/doNotContact';
import { recipientNumber } from '../../../nodes/shared/declaration/phoneNumber';

const numbersOf = (value: unknown): string[] | string => {
	const list = readList(value);
	return 'numbers' in list ? [...list.numbers] : list.problem;
};

test.each<[string, unknown, string[]]>([
	['empty text', '', []],
	['blank entries', ' , ;\n;', []],
	['an empty array', [], []],
	['blank entries of an array', ['', '  '], []],
	[
		'commas, semicolons and line breaks',
		'+4915112345678,0049301234567; 15551234567\n+33123456789\r\n',
		['4915112345678', '49301234567', '15551234567', '33123456789'],
	],
	[
		'the three ways to write a country code',
		'+4915112345678;004915112345678;4915112345678',
		['4915112345678'],
	],
	['formatting', '+49 (151) 123-456.78', ['4915112345678']],
	[
		'an array of texts and numbers',
		['+4915112345678', 15551234567],
		['4915112345678', '15551234567'],
	],
	['a single number', 4915112345678, ['4915112345678']],
])('%s', (_, value, expected) => {
	expect(numbersOf(value)).toEqual(expected);
});

test.each<[string, unknown]>([
	['nothing', undefined],
	['null', null],
	['an object', { number: '+4915112345678' }],
	['a boolean', true],
	['a national number', '+4915112345678, 0151 12345678'],
	['a name', 'Ada Lovelace'],
	['two numbers without a sign between them', '+4915112345678 +4915112345679'],
	['an array with null', ['+4915112345678', null]],
	['an array of objects', [{ phone: '+4915112345678' }]],
	['an array of arrays', [['+4915112345678']]],
	['a number of a spreadsheet that is no phone number', 0.5],
])('%s cannot be read', (_, value) => {
	expect(numbersOf(value)).toMatch(/^expected phone numbers/);
});

test('an error shows little of a long entry', () => {
	expect(numbersOf('x'.repeat(100_000)).length).toBeLessThan(100);
});

test('a number on the list is found however either of them is written', () => {
	const digits = fc.stringMatching(/^[1-9]\d{6,14}$/);
	const written = (number: string) =>
		fc.constantFrom(
			`+${number}`,
			`00${number}`,
			number,
			`+${number.slice(0, 2)} ${number.slice(2)}`,
		);
	const pair = digits.chain((number) => fc.tuple(written(number), written(number)));
	fc.assert(
		fc.property(pair, fc.array(digits), ([listed, called], others) => {
			const number = bareNumber(recipientNumber.parse(called));
			expect(numbersOf([...others.map((other) => `+${other}`), listed].join(';'))).toContain(
				number,
			);
			expect(numbersOf([listed, ...others.map((other) => `+${other}`)])).toContain(number);
		}),
	);
});

test('an equal list is read once, another one anew', () => {
	const read = readNumbers;
	const text = '+4915112345678,+4915112345679';
	const first = read(text);

	expect(read(`${text.slice(0, 5)}${text.slice(5)}`)).toBe(first);
	expect(read([...text.split(',')])).not.toBe(first);
	expect(read(['+4915112345678'])).toEqual({ numbers: new Set(['4915112345678']) });
	expect(read(['+4915112345679'])).toEqual({ numbers: new Set(['4915112345679']) });
	expect(read([4915112345679])).toEqual({ numbers: new Set(['4915112345679']) });
	const last = read(text);
	forgetNumbers();
	expect(read(text)).not.toBe(last);
});
