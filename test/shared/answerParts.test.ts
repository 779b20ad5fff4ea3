import fc from 'fast-check';

import { at, identifierIn, listAt } from '../../nodes/AssistantService/answerParts';

const UUID = '0b6f0f9c-2222-4333-8444-555566667777';

describe('identifierIn', () => {
	test.each<[text: unknown, identifier: string | null]>([
		['The message with the id "abc-123" was sent to 4915112345678.', 'abc-123'],
		['messageId=77ab, to=+4915112345678', '77ab'],
		['{"messageId":"77ab"}', '77ab'],
		['Message Identifier is 77ab', '77ab'],
		['SID: SM1', 'SM1'],
		['id=no7a', 'no7a'],
		[`Campaign updated, campaignID is ${UUID}.`, UUID],
		[`Campaign (${UUID}) is created`, UUID],
		['Created campaign 665f1c2e9b1e8a0012ab34cd', '665f1c2e9b1e8a0012ab34cd'],
		['The ID of the campaign is not known', null],
		['The bulk campaign is triggered', null],
		[undefined, null],
		[{ id: '12' }, null],
	])('%j holds %j', (text, identifier) => {
		expect(identifierIn(text)).toBe(identifier);
	});

	const phone = fc
		.tuple(
			fc.constantFrom('+', '00', '0', ''),
			fc.array(fc.stringMatching(/^[1-9]\d{1,4}$/), { minLength: 2, maxLength: 3 }),
			fc.constantFrom('', ' ', '-'),
		)
		.map(([prefix, parts, separator]) => prefix + parts.join(separator));
	const identifier = fc.oneof(
		fc.uuid(),
		fc.stringMatching(/^[a-z0-9]{4}\d[a-z0-9]{3,20}$/),
		fc.stringMatching(/^SM[0-9a-f]{32}$/),
	);
	const before = fc.constantFrom('SMS sent to ', 'Message to David ', 'To: ', 'Paid call to ', '');

	test('a phone number is not taken for an identifier', () => {
		const after = fc.constantFrom('', '.', ' was sent', ' (valid number)', ', status ok');
		fc.assert(
			fc.property(before, phone, after, (start, number, end) => {
				expect(identifierIn(`${start}${number}${end}`)).toBeNull();
			}),
			{ numRuns: 500 },
		);
	});

	test('the identifier is found beside a phone number', () => {
		const names = ['message id: ', 'Message ID ', 'id=', 'messageId: "', 'with the id ', 'SID is '];
		const name = fc.constantFrom(...names);
		const after = fc.constantFrom('', '.', ', done', '" ok', ') ok');
		fc.assert(
			fc.property(before, phone, name, identifier, after, (start, number, called, id, end) => {
				expect(identifierIn(`${start}${number}, ${called}${id}${end}`)).toBe(id);
				expect(identifierIn(`${called}${id} to ${number}${end}`)).toBe(id);
			}),
			{ numRuns: 500 },
		);
	});
});

const answer = {
	data: { message: { id: 'm', zero: 0, no: false }, list: [{}], none: null, text: 'abc' },
};

test.each<[path: string[], value: unknown]>([
	[['data', 'message', 'id'], 'm'],
	[['data', 'message', 'zero'], 0],
	[['data', 'message', 'no'], false],
	[['data', 'list'], [{}]],
	[['data', 'list', '0'], null],
	[['data', 'list', 'length'], null],
	[['data', 'none', 'deeper'], null],
	[['data', 'text', 'length'], null],
	[['data', 'text', '0'], null],
	[['nowhere', 'at', 'all'], null],
])('at %j', (path, value) => {
	expect(at(answer, ...path)).toEqual(value);
});

test.each<[list: unknown, objects: unknown]>([
	[[{ a: 1 }, 'x', null, ['y']], [{ a: 1 }]],
	[{ 0: { a: 1 } }, []],
	['text', []],
	[undefined, []],
])('listAt takes the objects of %j', (list, objects) => {
	const answer = JSON.parse(JSON.stringify({ base: { list } })) as { base: { list: undefined } };

	expect(listAt(answer, 'base', 'list')).toEqual(objects);
});
