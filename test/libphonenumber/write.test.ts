import fc from 'fast-check';
import { readFileSync, statSync } from 'node:fs';

import { after, DIGITS, holdsEnd, parse } from '../../libphonenumber/expression';
import { pack } from '../../libphonenumber/pack';
import { treeOfPrefixes, writeTree } from '../../libphonenumber/tree';
import { FILE, zoneData } from '../../libphonenumber/write';
import { nodesOnTheWay, readTree, unpack } from '../../nodes/shared/rules/digitTree';

test('the data is what its source gives, and small', () => {
	expect(readFileSync(FILE, 'utf8')).toBe(zoneData());
	expect(statSync(FILE).size).toBeLessThanOrEqual(40_000);
});

const digits = (maxLength: number) =>
	fc.array(fc.constantFrom(...DIGITS), { maxLength }).map((all) => all.join(''));

test('an expression holds what its pattern matches', () => {
	const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
		pattern: fc.oneof(
			{ maxDepth: 3 },
			fc.constantFrom('1', '\\d', '[2-4]', '[15-79]', '23'),
			fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
			fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
			fc
				.tuple(tie('pattern'), fc.constantFrom('?', '{2}', '{1,3}', '{0,2}'))
				.map(([one, times]) => `(?:${one})${times}`),
		),
	}));
	fc.assert(
		fc.property(pattern, digits(8), (written, number) => {
			const rest = Array.from(number).reduce(after, parse(written));
			expect(holdsEnd(rest)).toBe(new RegExp(`^(?:${written})$`).test(number));
		}),
		{ numRuns: 500 },
	);
});

test.each(['1+', '[^1]', '1|(?:2', '\\w'])('the pattern %s is refused', (pattern) => {
	expect(() => parse(pattern)).toThrow();
});

test('a tree gives each number the labels of its prefixes, packed or not', () => {
	const labels = fc
		.dictionary(digits(5), fc.constantFrom('ab', 'cd', 'ef'), { maxKeys: 30 })
		.map((entries) => new Map(Object.entries(entries)));
	fc.assert(
		fc.property(labels, digits(7), (of, number) => {
			const text = writeTree(treeOfPrefixes(of));
			const expected = Array.from(`${number} `)
				.map((_, end) => of.get(number.slice(0, end)) ?? '')
				.filter((label) => label !== '');
			const changes = expected.filter((label, index) => label !== expected[index - 1]);

			expect(unpack(pack(text))).toBe(text);
			const found = nodesOnTheWay(readTree(text), number).map(({ label }) => label);
			expect(found.filter((label) => label !== '')).toEqual(changes);
		}),
	);
});
