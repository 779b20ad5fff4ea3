import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { Linter } from 'eslint';
import * as regexp from 'eslint-plugin-regexp';
import { parser } from 'typescript-eslint';

const root = path.dirname(__dirname);

/** Every regular expression that can need more steps than a constant times the length of a text. */
const rules: Linter.RulesRecord = {
	'regexp/no-super-linear-backtracking': ['error', { report: 'certain' }],
	'regexp/no-super-linear-move': ['error', { report: 'certain', ignorePartial: false }],
	'regexp/no-invalid-regexp': 'error',
};

/** What is wrong with the patterns of a TypeScript source. */
const findSlowPatterns = (source: string): string[] =>
	new Linter()
		.verify(
			source,
			{
				files: ['**/*.ts'],
				languageOptions: { parser: parser as Linter.Parser },
				linterOptions: { reportUnusedDisableDirectives: 'off' },
				plugins: { regexp },
				rules,
			},
			{ filename: 'source.ts', allowInlineConfig: false },
		)
		.map(({ line, message }) => `${line}: ${message}`);

const sources = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => path.join(folder, name)),
);

test('there are sources to look at', () => {
	expect(sources).toContain(path.join('nodes', 'shared', 'declaration', 'phoneNumber.ts'));
	expect(sources).toContain(path.join('credentials', 'AssistantServiceApi.credentials.ts'));
});

test('no pattern of the package needs more than linear time', () => {
	const found = sources.flatMap((source) =>
		findSlowPatterns(readFileSync(path.join(root, source), 'utf8')).map(
			(problem) => `${source}:${problem}`,
		),
	);

	expect(found).toEqual([]);
});

test.each([
	['a bracket that is opened again and again', String.raw`/[([]\D*0\D*[)\]]|^\D*0[^\d+]+0/s`],
	['white space on both sides of nothing', String.raw`/\bid\b\s*(?:[:=#-])*\s*([a-z0-9]+)/gi`],
	['slashes at the end', String.raw`/\/+$/`],
	['an address with a zone', String.raw`/%.*$/`],
	['a list of lists', String.raw`/^(?:\w+,?)+$/`],
	['a pattern in a text', String.raw`new RegExp('\\/+$')`],
])('such a pattern is found: %s', (_, pattern) => {
	expect(findSlowPatterns(`const pattern = ${pattern};`)).toHaveLength(1);
});
