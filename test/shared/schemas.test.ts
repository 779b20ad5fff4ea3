import fc from 'fast-check';

import {
	cleanPhoneNumber,
	flag,
	identifier,
	json,
	label,
	oneOf,
	optional,
	phoneNumber,
	priority,
	text,
	uuid,
	webAddress,
	wholeNumber,
} from '../../nodes/shared/schemas';
import { ASSISTANT_ID, valueOf } from './samples';

const REFUSED = 'refused';

describe('phoneNumber', () => {
	test.each<[input: unknown, expected: string]>([
		['+4915112345678', '+4915112345678'],
		['004915112345678', '+4915112345678'],
		['015112345678', '015112345678'],
		[' +49 (151) 123-45.678 ', '+4915112345678'],
		['+49\u00a0151\u202f123\u2011456\u201378', '+4915112345678'],
		['\u202a+49 151 12345678\u202c', '+4915112345678'],
		['\u200e+49\u00ad151\u200b12345678\ufeff', '+4915112345678'],
		['+1 [415] 555\u22120100', '+14155550100'],
		['12345', '12345'],
		['123456789012345', '123456789012345'],
		[4915112345678, '4915112345678'],
		['+49 (030) 123456', '+49030123456'],
	])('%j becomes %s', (input, expected) => {
		expect(valueOf(phoneNumber, input)).toBe(expected);
	});

	test.each([
		['+49 (0)151 12345678'],
		['49 (0)151 12345678'],
		['0 049 151 12345'],
		['0 0 49 151 12345678'],
		['0049 (0) 151 12345678'],
		['(+49)(0)151 12345678'],
		['+49 ( 0 ) 151 12345678'],
		['+49 [0] 151 12345678'],
		['\u202a+49 (0)151 12345678'],
		['+49\n(0)151 12345678'],
		['4.9E+12'],
		['4,9E+12'],
		['1234'],
		['1234567890123456'],
		['+0151123456'],
		['++4915112345678'],
		['49+15112345678'],
		['+49 151 12345678 ext. 9'],
		['0151/2345678'],
		['０１５１２３４５６７８'],
		[''],
		['  '],
		[4.9e21],
		[2 ** 53],
		[4915112345.5],
		[-4915112345678],
		[Number.NaN],
		[Infinity],
		[true],
		[null],
		[undefined],
		[{ number: '+4915112345678' }],
		[['+4915112345678']],
	])('%j is refused', (input) => {
		expect(valueOf(phoneNumber, input)).toBe(REFUSED);
	});

	const parts = fc.constantFrom('00', '+49', '(0)', '0');
	const written = fc
		.array(fc.oneof(fc.stringMatching(/^[\d+\-. ()[\]\u00a0\u200b\u2013\u202a]$/), parts), {
			maxLength: 30,
		})
		.map((characters) => characters.join(''));
	const anything = fc.oneof(written, fc.string({ unit: 'binary' }));
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

describe('identifier', () => {
	test.each<[input: unknown, expected: string]>([
		['customer-4711', 'customer-4711'],
		[' a b ', 'a b'],
		['a/../b', 'a/../b'],
		['...', '...'],
		['%2e%2e', '%2e%2e'],
		['Zoë 😀', 'Zoë 😀'],
		[4711, '4711'],
		[0, '0'],
		[Number.MAX_SAFE_INTEGER, '9007199254740991'],
	])('%j becomes %j', (input, expected) => {
		expect(valueOf(identifier, input)).toBe(expected);
	});

	test.each([
		[''],
		['   '],
		['.'],
		['..'],
		[' .. '],
		['a\ud800'],
		['\udc00a'],
		['\udc00\ud800'],
		[Number.MAX_SAFE_INTEGER + 1],
		[Number.NaN],
		[true],
		[null],
		[undefined],
		[{}],
	])('%j is refused', (input) => {
		expect(valueOf(identifier, input)).toBe(REFUSED);
	});
});

describe('the other schemas', () => {
	const limited = wholeNumber(1, 200);
	const list = json(optional(text));

	test.each([
		['uuid', uuid, ` ${ASSISTANT_ID} `, ASSISTANT_ID],
		['uuid', uuid, ASSISTANT_ID.toUpperCase(), ASSISTANT_ID.toUpperCase()],
		['uuid', uuid, `${ASSISTANT_ID}/x`, REFUSED],
		['uuid', uuid, `${ASSISTANT_ID}\n${ASSISTANT_ID}`, REFUSED],
		['uuid', uuid, ASSISTANT_ID.replaceAll('-', ''), REFUSED],
		['uuid', uuid, '', REFUSED],
		['uuid', uuid, 4711, REFUSED],
		['text', text, '  as it is\n', '  as it is\n'],
		['text', text, 3.5, '3.5'],
		['text', text, 0, '0'],
		['text', text, ' \n ', REFUSED],
		['text', text, undefined, REFUSED],
		['text', text, ['a'], REFUSED],
		['label', label, ' en ', 'en'],
		['label', label, 7, '7'],
		['label', label, '  ', REFUSED],
		['flag', flag, false, false],
		['flag', flag, 'true', REFUSED],
		['oneOf', oneOf('a', 'b'), 'b', 'b'],
		['oneOf', oneOf('a', 'b'), 'c', REFUSED],
		['wholeNumber', limited, 1, 1],
		['wholeNumber', limited, '200', 200],
		['wholeNumber', limited, 0, REFUSED],
		['wholeNumber', limited, 201, REFUSED],
		['wholeNumber', limited, 1.5, REFUSED],
		['wholeNumber', limited, 'many', REFUSED],
		['wholeNumber', limited, '', REFUSED],
		['priority', priority, 0, 0],
		['priority', priority, 2, 2],
		['priority', priority, ' 1 ', 1],
		['priority', priority, 3, REFUSED],
		['priority', priority, -1, REFUSED],
		['priority', priority, 0.5, REFUSED],
		['priority', priority, '', REFUSED],
		['priority', priority, 'high', REFUSED],
		['priority', priority, true, REFUSED],
		['priority', priority, null, REFUSED],
		['webAddress', webAddress, ' https://example.com/a b.xlsx ', 'https://example.com/a b.xlsx'],
		['webAddress', webAddress, 'HTTP://example.com', 'HTTP://example.com'],
		['webAddress', webAddress, 'example.com/contacts.xlsx', REFUSED],
		['webAddress', webAddress, 'ftp://example.com', REFUSED],
		['webAddress', webAddress, 'https://', REFUSED],
		['webAddress', webAddress, 'javascript:alert(1)', REFUSED],
		['webAddress', webAddress, 7, REFUSED],
		['json', list, '"a"', 'a'],
		['json', list, '{"a": 1}', REFUSED],
		['json', list, 'not JSON', REFUSED],
		['json', list, '{"a"', REFUSED],
		['optional', optional(uuid), '  ', undefined],
		['optional', optional(uuid), null, undefined],
		['optional', optional(uuid), undefined, undefined],
		['optional', optional(uuid), 'x', REFUSED],
	])('%s', (_, schema, input, expected) => {
		expect(valueOf(schema, input)).toBe(expected);
	});
});
