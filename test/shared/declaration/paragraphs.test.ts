import {
	paragraphRows,
	paragraphsOfJson,
	paragraphsOfText,
} from '../../../nodes/AssistantService/resources/paragraphs';
import { REFUSED, valueOf } from '../samples';

/** The texts of the paragraphs, or "refused". */
function textsOf(schema: Parameters<typeof valueOf>[0], value: unknown): unknown {
	const paragraphs = valueOf(schema, value);
	return Array.isArray(paragraphs)
		? (paragraphs as { value: { data: string } }[]).map((paragraph) => {
				expect(Object.keys(paragraph)).toEqual(['value']);
				return paragraph.value.data;
			})
		: paragraphs;
}

test.each<[values: unknown, expected: unknown]>([
	[[{ text: ' Two\n\nstill two ' }], [' Two\n\nstill two ']],
	[[{ text: 'One' }, { text: '' }, { text: ' \n' }], ['One']],
	[[{ text: 'One' }, {}, { text: null }, { text: undefined }], ['One']],
	[[{ text: 7 }], ['7']],
	[[], REFUSED],
	[[{ text: { a: 1 } }], REFUSED],
	[['One'], REFUSED],
	['One', REFUSED],
])('rows: %j', (values, expected) => {
	expect(textsOf(paragraphRows.schema, { values })).toEqual(expected);
});

test.each<[text: unknown, expected: unknown]>([
	['One\nstill one\n\nTwo', ['One\nstill one', 'Two']],
	['One\r\n\r\nTwo\r\nstill two', ['One', 'Two\r\nstill two']],
	['One\n \t\nTwo\n\n\n\nThree', ['One', 'Two', 'Three']],
	['\n\n  One  \n\n', ['One']],
	['One\n\u200b\nTwo\n \ufeff\u00ad\u2060\t\nThree', ['One', 'Two', 'Three']],
	['One\n\rTwo\r\n\nThree\n\r\nFour', ['One', 'Two', 'Three', 'Four']],
	['One \u200b two', ['One \u200b two']],
	['\u200b\n\u200b', REFUSED],
	[7, ['7']],
	['', REFUSED],
	[{ a: 1 }, REFUSED],
	[['One'], REFUSED],
])('text: %j', (text, expected) => {
	expect(textsOf(paragraphsOfText.schema, text)).toEqual(expected);
});

test.each<[value: unknown, expected: unknown]>([
	['["One", " Two "]', ['One', ' Two ']],
	['[{"value":{"data":"One"}},"Two"]', ['One', 'Two']],
	['[{"key":"p-1","value":{"data":"One","more":1}}]', ['One']],
	['["", "One", {"value":{"data":" "}}]', ['One']],
	['[""]', REFUSED],
	['[7]', REFUSED],
	['[{"value":"One"}]', REFUSED],
	['{"value":{"data":"One"}}', REFUSED],
	['One', REFUSED],
	['', REFUSED],
])('JSON: %j', (value, expected) => {
	expect(textsOf(paragraphsOfJson.schema, value)).toEqual(expected);
});
