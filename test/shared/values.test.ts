import fc from 'fast-check';

import { isContainer, isDeeperThan, shorten, visible } from '../../nodes/shared/values';
import { anyText } from '../anyText';

/** How deep a value is nested, counted by another way: level by level. */
function depthOf(value: unknown): number {
	let depth = 0;
	for (let level = [value].filter(isContainer); level.length > 0; depth++) {
		level = level.flatMap((container) => Object.values(container)).filter(isContainer);
	}
	return depth;
}

test('a container is deeper than each number below its depth', () => {
	const containers = fc.oneof(fc.object({ maxDepth: 8 }), fc.array(fc.jsonValue({ maxDepth: 8 })));
	fc.assert(
		fc.property(containers, fc.nat(10), (container, depth) => {
			expect(isDeeperThan(container, depth)).toBe(depthOf(container) > depth);
		}),
	);
});

test.each([
	['Ada Müller 😀, नमस्ते', 'Ada Müller 😀, नमस्ते'],
	['\ufeffphone', '\\ufeffphone'],
	['a\u200bb\u00adc\u00a0d\u2003e', 'a\\u200bb\\u00adc\\u00a0d\\u2003e'],
	['\u202e+49\u2069', '\\u202e+49\\u2069'],
	['a\tb\r\nc\0\u007f', 'a\\tb\\r\\nc\\u0000\\u007f'],
	['\ufffc\u2800\u3164\ufe0f', '\\ufffc\\u2800\\u3164\\ufe0f'],
	['\u{e0031}\ud800', '\\udb40\\udc31\\ud800'],
	['\u0301e\u0301', '\\u0301e\u0301'],
])('%j is shown as %s', (text, shown) => {
	expect(visible(text)).toBe(shown);
	expect(shorten(text)).toBe(shown);
});

test('whatever is shown can be seen, is read as JSON reads it, and what can be seen stays', () => {
	fc.assert(
		fc.property(anyText, (text) => {
			const shown = visible(text);
			expect(shown).toMatch(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u);
			if (!/["\\]/.test(text)) expect(JSON.parse(`"${shown}"`)).toBe(text);
			expect(visible(shown)).toBe(shown);
		}),
		{ numRuns: 2_000 },
	);
});

test('a long text is cut between characters, before they are shown by their code', () => {
	expect(shorten('😀'.repeat(41))).toBe(`${'😀'.repeat(40)}…`);
	expect(shorten('\u200b'.repeat(41))).toBe(`${'\\u200b'.repeat(40)}…`);
	expect(shorten('😀'.repeat(40))).toBe('😀'.repeat(40));
});
