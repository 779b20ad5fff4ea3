import fc from 'fast-check';

import { recipientNumber } from '../../../nodes/shared/declaration/phoneNumber';
import { readList } from '../../../nodes/shared/outreach/doNotContact';
import { valueOf } from '../samples';

const REFUSED = 'refused';

test.each<[input: unknown, expected: string]>([
	['+4915112345678', '+4915112345678'],
	['4915112345678', '4915112345678'],
	['004915112345678', '+4915112345678'],
	['(0049) 151 12345678', '+4915112345678'],
	[' +49 (151) 123-45.678\r\n', '+4915112345678'],
	['\u202a+49 151 12345678\u202c', '+4915112345678'],
	['49\u00a0151\u202f123\u2011456\u201378', '4915112345678'],
	['1 [415] 555\u22120100', '14155550100'],
	['+49-151-123', '+49151123'],
	['1234567', '1234567'],
	['+123456789012345', '+123456789012345'],
	[4915112345678, '4915112345678'],
	// A prefix says that it is no date and no address of a network.
	['+20.26.0131', '+20260131'],
	['+49.151.1234.5678', '+4915112345678'],
	['0031.01.2026', '+31012026'],
	['49.151.123.45.678', '4915112345678'],
	['49 30 2012 34', '4930201234'],
	['31 10 2012 345', '31102012345'],
])('%j becomes %s', (input, expected) => {
	expect(valueOf(recipientNumber, input)).toBe(expected);
});

/** What is no phone number with its country code, or not one number. */
const REFUSED_VALUES: Readonly<Record<string, readonly unknown[]>> = {
	'several lines': [
		...['1234567\n7654321', '1234567\r\n7654321', '1234567\u20287654321', '+49\n151 12345678'],
		'\u200e\n1234567\u200b\n7654321',
	],
	'two numbers': ['004915112345678 004915112345679', ['+4915112345678']],
	dates: [
		...['2026-01-31', '2026-1-31', '2026.01.31', '2026 01 31', '2026\u201301\u201331'],
		...['2026-01-31 10.30', '31. 1. 2026', '31-01-2026', '12-31-2026', '31.12.1999 10.30.00'],
		new Date(4915112345678),
	],
	'addresses of a network': [' 192.168.100.200 ', '[192.168.100.200]', '49.151.1234.5678'],
	'a minus sign': [
		...['\u22124915112345678', ' - 4915112345678', '(-4915112345678)', '-+4915112345678'],
		-4915112345678,
	],
	'no country code': ['015112345678', '+0151123456', '00015112345678', '+004915112345678'],
	'too short': ['123456', '+123456', '00123456', '', 0],
	'another notation': ['4.9E+12', '4915112345678;ext=9', '0x1234567', '１２３４５６７８'],
	'no text': [2 ** 53, Number.NaN, 4915112345678n, null],
};

test.each(Object.entries(REFUSED_VALUES))('refused: %s', (_, inputs) => {
	expect(inputs.map((input) => valueOf(recipientNumber, input))).toEqual(inputs.map(() => REFUSED));
});

test.each<[input: unknown, fault: string]>([
	['0151 23456789', '"0151 23456789" has no country code'],
	['+0151 23456789', '"+0151 23456789" has no country code'],
	['+49 (0)151 12345678', '"+49 (0)151 12345678" has a zero in brackets'],
	['0 049 151 12345', '"0 049 151 12345" begins with two zeros that are apart'],
	['+49 151', '"+49 151" is too short for a phone number with its country code'],
	['1234567890123456', '"1234567890123456" is too long for a phone number'],
	['1'.repeat(101), `"${'1'.repeat(40)}…" is too long for a phone number`],
	['+4915112345678, +4915112345679', '"+4915112345678, +4915112345679" is more than one number'],
	['015112345678/4915112345679', '"015112345678/4915112345679" is more than one number'],
	['0151/23456789', '"0151/23456789" has "/", which no phone number has'],
	['+4915112345678 +4915112345679', '"+4915112345678 +4915112345679" is more than one number'],
	['49+15112345678', '"49+15112345678" has a + behind its first digit'],
	['+4915112345678\n1', '"+4915112345678\n1" has a line break'],
	['-4915112345678', '"-4915112345678" begins with a minus sign'],
	[4915112345678.5, '"4915112345678.5" is a decimal number'],
	['31.01.2026', '"31.01.2026" looks like a date'],
	['192.168.100.200', '"192.168.100.200" looks like a network address'],
	['Ada', '"Ada" has "A", which no phone number has'],
	['++', '"++" has a + behind its first digit'],
	['+', '"+" has no digits of a number'],
	['00', '"00" has no digits of a number'],
	[true, 'expected a phone number as text'],
])('%j is told its one fault: %s', (input, fault) => {
	const { error } = recipientNumber.safeParse(input);

	expect(error?.issues.map(({ message }) => message)).toEqual([
		expect.stringContaining(fault) as string,
	]);
});

// A spreadsheet or a CSV of pandas writes a number so: another person would be called.
test.each([
	'4915112345678.0',
	' 4915112345678.0 ',
	'+4915112345678.0',
	'004915112345678.0',
	'52.5200066',
	'.4915112345678',
	'001.428699',
	'+4915.112345678',
	'+49.151',
	'\u200b4915112345678.5',
	'+49 15112345678.0',
])('%s is a decimal number: refused as a recipient and on a list', (written) => {
	expect(valueOf(recipientNumber, written)).toBe(REFUSED);
	expect(readList(`+4915100000000; ${written}`)).toEqual({
		problem: expect.stringMatching(/is a decimal number$/) as string,
	});
});

test('one dot behind a country code with + is no decimal number', () => {
	expect(valueOf(recipientNumber, '+49.15112345678')).toBe('+4915112345678');
	expect(valueOf(recipientNumber, '+49 151.12345678')).toBe('+4915112345678');
	expect(readList('+49.15112345678')).toEqual({ numbers: Float64Array.of(4915112345678) });
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
				fc.pre(!/^\+?\d+\.\d+$|\.0$/.test(written.replaceAll('\u200b', '').trim()));

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
		fc.property(fc.oneof(written, fc.string({ unit: 'binary' }), fc.anything()), (input) => {
			const accepted = valueOf(recipientNumber, input);

			if (accepted === REFUSED) return;
			expect(accepted).toMatch(/^\+?[1-9]\d{6,14}$/);
			const digits = String(input).replace(/\D/g, '');
			const isPrefixed = String(input).includes('+');
			expect(accepted).toBe(isPrefixed ? `+${digits}` : digits.replace(/^00/, '+'));
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
