import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import * as regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const typeChecked = (files) =>
	[...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked].map(
		(config) => ({
			...config,
			files,
		}),
	);

/** The folders of the shared code, the lowest first: each may import what stands below it. */
const LAYERS = [
	'time',
	'gate',
	'answer',
	'declaration',
	'service',
	'rules',
	'items',
	'book',
	'waiting',
	'delivery',
	'output',
];

const importsGoDown = LAYERS.map((layer, index) => ({
	files: [`nodes/shared/${layer}/**/*.ts`],
	rules: {
		'no-restricted-imports': [
			'error',
			{
				patterns: [
					{
						regex: `^(\\.\\./)+((${LAYERS.slice(index + 1).join('|') || '-'})/|(?:readRun|runOperation)$|Assistant)`,
						message: `Imports go down only: ${LAYERS.slice(0, index).join(', ') || 'values'} may be imported here.`,
					},
				],
			},
		],
	},
}));

const rootImportsNoFolder = {
	files: ['nodes/shared/*.ts'],
	ignores: ['nodes/shared/{readRun,runOperation}.ts'],
	rules: {
		'no-restricted-imports': [
			'error',
			{ patterns: [{ regex: '^\\./\\w+/', message: 'All folders may import this file.' }] },
		],
	},
};

/** What is published; n8n's scanner lints these files and no others. */
const PUBLISHED = ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'];

/** Rules of n8n's recommended configuration for nodes that are published. Tests and tools run in Node.js. */
const ONLY_IN_N8N = [
	'no-restricted-globals',
	'no-restricted-imports',
	'no-dangerous-functions',
	'no-hardcoded-secrets',
	'require-node-api-error',
	'icon-validation',
];

export default tseslint.config(
	{
		ignores: [
			'**/node_modules/',
			'dist/',
			'.build/',
			'coverage/',
			'playground/.n8n/',
			'playground/**/.state/',
		],
	},
	// n8n's own configuration as it is; test/package.test.ts runs n8n's scanner.
	n8nCommunityNodesPlugin.configs.recommended,
	{
		files: ['package.json'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: n8nNodesBase.configs.community.rules,
	},
	{
		files: ['credentials/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// For n8n's own credentials; a community package gives a URL.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// These want the literal 'main'; the community rules want NodeConnectionTypes.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
	{
		files: ['package.json', '{nodes,credentials}/**/*.json'],
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
	},
	// Our additions.
	{
		files: PUBLISHED,
		linterOptions: { noInlineConfig: true },
		plugins: { regexp },
		rules: {
			'no-console': 'error',
			// No pattern needs more steps than a constant times the length of a text.
			'regexp/no-super-linear-backtracking': ['error', { report: 'certain' }],
			'regexp/no-super-linear-move': ['error', { report: 'certain', ignorePartial: false }],
			'regexp/no-invalid-regexp': 'error',
		},
	},
	{
		files: ['**/*.{ts,js,mjs}'],
		ignores: PUBLISHED,
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		rules: Object.fromEntries(ONLY_IN_N8N.map((rule) => [`@n8n/community-nodes/${rule}`, 'off'])),
	},
	...typeChecked(['**/*.ts']),
	{
		files: ['**/*.ts'],
		languageOptions: {
			parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
		},
	},
	{
		// What is sent or remembered under a name has no part that is missing.
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		rules: {
			'@typescript-eslint/restrict-template-expressions': [
				'error',
				{
					allowNumber: true,
					allowNullish: false,
					allowAny: false,
					allowBoolean: false,
					allowRegExp: false,
				},
			],
		},
	},
	{
		// Prettier breaks code, but no comment.
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		ignores: ['nodes/shared/rules/zoneData.ts'],
		rules: {
			'max-len': [
				'error',
				{
					code: 100,
					tabWidth: 2,
					ignoreStrings: true,
					ignoreTemplateLiterals: true,
					ignoreRegExpLiterals: true,
				},
			],
		},
	},
	...importsGoDown,
	rootImportsNoFolder,
);
