import fc from 'fast-check';

import { tellFault } from '../../../nodes/shared/answer/valueFault';
import { readListed } from '../../../nodes/shared/declaration/phoneNumber';
import {
	forgetLists,
	isListed,
	readNumbers,
	toNumbers,
} from '../../../nodes/shared/rules/doNotContact';

const numbersOf = (value: unknown): number[] | string => {
	const list = readNumbers(value);
	return list.kind === 'read' ? [...list.value] : tellFault(list);
};

const isOn = (value: unknown, number: string): boolean => {
	const list = readNumbers(value);
	return list.kind === 'read' && isListed(list.value, number);
};

test.each<[string, unknown, number[]]>([
	['blank entries', ' , ;\n;', []],
	['an empty array', [], []],
	['blank entries of an array', ['', '  '], []],
	[
		'commas, semicolons and line breaks',
		'+4915112345678,0049301234567; 15551234567\n+33123456789\r\n',
		[-4915112345678, -49301234567, -33123456789, 15551234567],
	],
	['an array of texts and numbers', ['+4915112345678', 15551234567], [-4915112345678, 15551234567]],
	['a number without its country code', '020 7946 0018', [2079460018]],
])('%s', (_, value, expected) => {
	expect(numbersOf(value)).toEqual(expected);
});

test.each<[string, unknown]>([
	['nothing', undefined],
	['null', null],
	['a number of 5 digits', '+4915112345678, 0151 12'],
	['an array with null', ['+4915112345678', null]],
	['an array with a hole', Array(1)],
	['numbers with nothing between them', '+4915112345678'.repeat(100_000)],
])('%s cannot be read', (_, value) => {
	expect(numbersOf(value)).toMatch(/^expected (?:a phone number|phone numbers)|^".*" (?:is|has)/);
});

/** An entry of a list, as it is written, and whether it holds back a number: by its text alone. */
const entry = fc
	.tuple(
		fc.constantFrom('+', '00', '', '0'),
		fc.stringMatching(/^[1-9]\d{6,14}$/),
		fc.stringMatching(/^[1-9]\d{5,14}$/),
		fc.constantFrom(
			(digits: string) => digits,
			(digits: string) => `${digits.slice(0, 3)} ${digits.slice(3, 5)}-${digits.slice(5)}`,
			(digits: string) => `${digits.slice(0, 2)}.${digits.slice(2, 4)}.${digits.slice(4)}`,
		),
	)
	.map(([prefix, whole, part, write]) => {
		const isWhole = prefix === '+' || prefix === '00';
		const digits = isWhole ? whole : part;
		return {
			digits,
			written: prefix + write(digits),
			holdsBack: (called: string) => (isWhole ? called === digits : called.endsWith(digits)),
		};
	});

test('an entry with + or 00 is that number, one without every number that ends with its digits', () => {
	const number = fc.stringMatching(/^[1-9]\d{6,14}$/);
	const called = (of: readonly { digits: string }[]) =>
		fc.oneof(
			number,
			fc
				.tuple(fc.stringMatching(/^(?:[1-9]\d{0,8})?$/), fc.constantFrom(...of), fc.nat(9))
				.map(([before, { digits }, from]) => before + digits.slice(from))
				.filter((digits) => /^[1-9]\d{6,14}$/.test(digits)),
		);
	const lists = fc
		.array(entry, { minLength: 1, maxLength: 8 })
		.chain((entries) => fc.tuple(fc.constant(entries), called(entries)));
	fc.assert(
		fc.property(lists, ([entries, number]) => {
			const isHeld = entries.some(({ holdsBack }) => holdsBack(number));
			const written = entries.map((one) => one.written);
			expect(isOn(written, `+${number}`)).toBe(isHeld);
			expect(isOn(written.join(' ; '), `+${number}`)).toBe(isHeld);
		}),
		{ numRuns: 5_000 },
	);
});

test('what is written plainly is read as what is written otherwise', () => {
	const character = fc.constantFrom(...Array.from('0011223456789+ .()[]-\t\u00a0\u200b\u0661x'));
	const value = fc.oneof(
		fc
			.tuple(
				fc.constantFrom('', '+', '00', ' +49 ', '49', '0', '('),
				fc.string({ unit: character }),
			)
			.map(([prefix, rest]) => prefix + rest),
		fc.stringMatching(/^(\+|00|0|)\(?[1-9]([ .()-]{0,2}\d){4,16} ?$/),
		fc.stringMatching(/^\+?\d{5,17}$/),
		fc.integer(),
		fc.maxSafeInteger(),
		fc.double(),
		fc.anything(),
	);
	fc.assert(
		fc.property(value, (written) => {
			if (typeof written === 'string' && written.trim() === '') return;
			const read = readListed(written);
			expect(numbersOf([written])).toEqual(
				read.kind === 'read' ? [...toNumbers([read.value])] : tellFault(read),
			);
		}),
		{ numRuns: 5_000 },
	);
});

describe('a list that was read', () => {
	beforeEach(forgetLists);

	const text = '+4915112345678,+4915112345679';

	test('is not read again if an equal one comes', () => {
		const list = readNumbers(text);
		const other = readNumbers(text.split(','));

		expect(readNumbers(`${text.slice(0, 5)}${text.slice(5)}`)).toBe(list);
		expect(readNumbers(text.split(','))).toBe(other);
		expect(other).not.toBe(list);
	});

	test('is not taken for another one', () => {
		expect(readNumbers(['+4915112345678'])).toEqual(readNumbers('+4915112345678'));
		expect(readNumbers([4915112345670])).toEqual(readNumbers('4915112345670'));
		expect(readNumbers(['+4915112345678', 'Ada'])).toMatchObject({ kind: 'bad' });
		expect(readNumbers(['+4915112345678'])).toEqual(readNumbers('004915112345678'));
		expect(readNumbers(['+4915112345678'])).not.toEqual(readNumbers('4915112345678'));
		expect(readNumbers(Array.from('4915112345678'))).toMatchObject({ kind: 'bad' });
	});

	test('is kept while nine others are read, and until all are forgotten', () => {
		const others = (count: number) =>
			Array.from({ length: count }, (_, index) => `+4930123456${index}`);
		const list = readNumbers(text);
		others(9).forEach(readNumbers);
		expect(readNumbers(text)).toBe(list);

		others(10).forEach(readNumbers);
		const again = readNumbers(text);
		expect(again).not.toBe(list);

		forgetLists();
		expect(readNumbers(text)).not.toBe(again);
	});
});
