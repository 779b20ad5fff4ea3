import fc from 'fast-check';

import { tellFault, tellFaults } from '../../../nodes/shared/answer/valueFault';
import {
	cleanPhoneNumber,
	phoneNumber,
	readListed,
	recipientNumber,
} from '../../../nodes/shared/declaration/phoneNumber';
import { readValue } from '../../../nodes/shared/declaration/readValue';
import { anyText } from '../../anyText';
import { REFUSED, valueOf } from '../samples';

/** What is told of a recipient; nothing if it can be called. */
const refused = (input: unknown): string =>
	tellFaults(readValue('', recipientNumber, input, true).faults);

/** What is told of an entry of a list; nothing if it can be read. */
function told(entry: unknown): string {
	const read = readListed(entry);
	return read.kind === 'read' ? '' : tellFault(read);
}

test.each<[input: string, expected: string]>([
	['004915112345678', '+4915112345678'],
	['(0049) 151 12345678', '+4915112345678'],
	[' -+49 (151) 123-45.678 -\r\n', '+4915112345678'],
	['\u200e\n+49 151 12345678\u202c', '+4915112345678'],
	// A selector of an emoji, a tag, a filler and a tabulator print nothing.
	['+1\ufe0d777\u{e0031}555\u31640\t142', '+17775550142'],
	['0\u200b049 151 12345678', '+4915112345678'],
	['- 0049 151 12345678', '+4915112345678'],
	['+49.15112345678', '+4915112345678'],
])('%j becomes %s', (input, expected) => {
	expect(valueOf(recipientNumber, input)).toBe(expected);
	expect(readListed(input)).toEqual({ kind: 'read', value: expected });
});

const WITHOUT_PLUS = 'has no country code with + or 00';

test.each([
	...['4915112345678', ' 49 (151) 123-45.678 ', '49.151.123.45.678', '1234567'],
	...['(323) 555-0142', '2026-01-31', 4915112345678],
])('%j is refused as a recipient, and the end of numbers on a list', (input) => {
	const written = String(input);

	expect(refused(input)).toBe(`"${written.trim()}" ${WITHOUT_PLUS}`);
	expect(readListed(input)).toEqual({ kind: 'read', value: written.replace(/\D/g, '') });
});

test.each([
	['020 7946 0018', '2079460018'],
	['07911 123456', '7911123456'],
	['0 (151) 23456789', '15123456789'],
	['555123', '555123'],
	['0123456789012345', '123456789012345'],
])('%j is refused as a recipient, and on a list it is %s', (input, digits) => {
	expect(refused(input)).toBe(`"${input}" ${WITHOUT_PLUS}`);
	expect(readListed(input)).toEqual({ kind: 'read', value: digits });
});

test.each<[input: unknown, fault: string]>([
	['+0151 23456789', '"+0151 23456789" has no country code'],
	['+49 (0)151 12345678', '"+49 (0)151 12345678" has a zero in brackets'],
	['+44 (020) 7946 0958', '"+44 (020) 7946 0958" has a zero in brackets'],
	['\u200b\ufe0d', 'expected a phone number as text'],
	['0 049 151 12345', '"0 049 151 12345" begins with two zeros that are apart'],
	['+49 151', '"+49 151" is too short for a phone number with its country code'],
	['(0)20 7946 0018', '"(0)20 7946 0018" has a zero in brackets'],
	['000151 23456789', '"000151 23456789" has no country code'],
	['+1234567890123456', '"+1234567890123456" is too long for a phone number'],
	[
		'004915112345678 004915112345679',
		'"004915112345678 004915112345679" is too long for a phone number',
	],
	['1'.repeat(101), `"${'1'.repeat(40)}…" is too long for a phone number`],
	['+4915112345678, +4915112345679', '"+4915112345678, +4915112345679" is more than one number'],
	['49+15112345678', '"49+15112345678" has a + behind its first digit'],
	['+49\n151 12345678', '"+49\\n151 12345678" has a line break'],
	['+1234567\u200b\u20287654321', '"+1234567\\u20287654321" has a line break'],
	['(-4915112345678)', '"(-4915112345678)" begins with a minus sign'],
	['+\u22124915112345678', '"+\u22124915112345678" begins with a minus sign'],
	['CRM-4711', '"CRM-4711" has "C", which no phone number has'],
	['+1\u0007777', '"+1\\u0007777" has U+0007, which no phone number has'],
	[true, 'expected a phone number as text, not true'],
	[['+4915112345678'], 'expected a phone number as text, not ["+4915112345678"]'],
	[4915112345678n, 'expected a phone number as text'],
	// A spreadsheet or a CSV of pandas writes a number so: another person would be called.
	...[
		...['4915112345678.0', '+4915112345678.0', '004915112345678.0', '52.5200066', '001.428699'],
		...['.4915112345678', '+4915.112345678', '4915112345678.5', '+49 15112345678.0', 0.5],
		...['+49 15112345678.00', '0049 15112345678.000'],
	].map((written): [unknown, string] => [written, `"${written}" is a decimal number`]),
])('%j is told its one fault, as a recipient and on a list: %s', (input, problem) => {
	expect(refused(input)).toBe(problem);
	expect(told(input)).toBe(problem);
});

test.each([
	['0151 23', 'has fewer than 6 digits'],
	['12345', 'has fewer than 6 digits'],
	['0', 'has fewer than 6 digits'],
	[2 ** 53, 'is too long for a phone number'],
])('%j is no entry of a list either', (input, fault) => {
	expect(refused(input)).toBe(`"${input}" ${WITHOUT_PLUS}`);
	expect(told(input)).toBe(`"${input}" ${fault}`);
});

const number = fc.stringMatching(/^[1-9]\d{6,14}$/);
const prefix = fc.constantFrom('+', '00', '');
const separators = fc
	.array(fc.constantFrom(' ', '.', '-', '(', ')', '[', ']', '\u00a0', '\u2011', '\u200b'), {
		maxLength: 3,
	})
	.map((characters) => characters.join(''));

/** One number as people write it: with these between its digits. */
const writeWith = (start: string, digits: string, gaps: readonly string[]): string =>
	start + Array.from(digits, (digit, index) => digit + (gaps[index] ?? '')).join('');

test('a number with a prefix, written with any separators, keeps exactly its digits', () => {
	fc.assert(
		fc.property(
			fc.constantFrom('+', '00'),
			number.filter((digits) => !digits.includes('0')),
			fc.array(separators, { maxLength: 14 }),
			fc.constantFrom('', ' ', '\n', '\t'),
			(start, digits, gaps, around) => {
				const written = around + writeWith(start, digits, gaps.slice(0, digits.length - 1));
				fc.pre(!/^\+?\d+\.\d+$/.test(written.replaceAll('\u200b', '').trim()));

				expect(valueOf(recipientNumber, written + around)).toBe(`+${digits}`);
			},
		),
		{ numRuns: 1_000 },
	);
});

test('whatever is accepted is its digits, and one number with its country code', () => {
	const written = fc
		.tuple(prefix, number, fc.array(separators, { maxLength: 14 }))
		.map(([start, digits, gaps]) => writeWith(start, digits, gaps));
	fc.assert(
		fc.property(fc.oneof(written, anyText, fc.anything()), (input) => {
			const accepted = valueOf(recipientNumber, input);

			if (accepted === REFUSED) return;
			expect(accepted).toMatch(/^\+[1-9]\d{6,14}$/);
			expect(accepted).toBe(`+${String(input).replace(/\D/g, '').replace(/^00/, '')}`);
			expect(readListed(input)).toEqual({ kind: 'read', value: accepted });
			expect(valueOf(recipientNumber, accepted)).toBe(accepted);
		}),
		{ numRuns: 2_000 },
	);
});

test('two numbers are never taken for one', () => {
	const between = fc.constantFrom('\n', '\r\n', '\u2029', ',', ', ', ';', '/', '|', ' or ', ' & ');
	const withPrefix = fc
		.tuple(fc.constantFrom('+', '00'), number)
		.map(([start, digits]) => start + digits);
	const pairs = fc.oneof(
		fc.tuple(prefix, number, between, prefix, number),
		fc.tuple(prefix, number, separators, fc.constant(''), withPrefix),
	);
	fc.assert(
		fc.property(pairs, (parts) => {
			expect(valueOf(recipientNumber, parts.join(''))).toBe(REFUSED);
		}),
		{ numRuns: 1_000 },
	);
});

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
