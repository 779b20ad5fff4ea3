import fc from 'fast-check';

import { readYesOrNo } from '../../nodes/AssistantServiceTrigger/resultValues';

const TEXTS = { yes: ['true', 'yes', '1'], no: ['false', 'no', '0'] };

/** A text in any case, with white space around it. */
const written = (texts: readonly string[]) =>
	fc
		.tuple(fc.constantFrom(...texts), fc.constantFrom('', ' ', '\n\t'), fc.func(fc.boolean()))
		.map(([text, space, isUpper]) => {
			const letters = Array.from(text, (letter) =>
				isUpper(letter) ? letter.toUpperCase() : letter,
			);
			return space + letters.join('') + space;
		});

test.each([
	[true, fc.oneof(fc.constantFrom<unknown>(true, 1), written(TEXTS.yes))],
	[false, fc.oneof(fc.constantFrom<unknown>(false, 0, -0), written(TEXTS.no))],
	[null, fc.oneof(fc.constantFrom<unknown>(null, undefined), written(['', ' ']))],
])('%p is read of each way to write it', (meaning, values) => {
	fc.assert(
		fc.property(values, (value) => {
			expect(readYesOrNo(value)).toBe(meaning);
		}),
	);
});

test('whatever else JSON knows is neither', () => {
	const meant = [...TEXTS.yes, ...TEXTS.no, ''];
	const others = fc.jsonValue().filter((value) => {
		if (typeof value === 'string') return !meant.includes(value.trim().toLowerCase());
		return value !== null && typeof value !== 'boolean' && value !== 0 && value !== 1;
	});
	fc.assert(
		fc.property(others, (value) => {
			expect(readYesOrNo(value)).toBeUndefined();
		}),
		{ examples: [[[]], [{}], [['yes']], ['N/A'], ['01'], ['yes.'], [2]] },
	);
});
