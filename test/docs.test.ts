import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { operationsTable } from '../docs/operations';
import { schemaFiles, type OutputSchema } from '../docs/outputSchemas';
import { generatedFiles } from '../docs/write';
import { AssistantService } from '../nodes/AssistantService/AssistantService.node';
import packageJson from '../package.json';
import { operations } from './shared/samples';

const root = path.resolve(__dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const filesIn = (folder: string): string[] =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
		path.join(folder, file),
	);
const SCHEMAS = 'nodes/AssistantService/__schema__';
const isPage = (file: string): boolean => file.endsWith('.md');

const DOCS = filesIn('docs').filter(isPage);
const PAGES = [
	...readdirSync(root).filter(isPage),
	...DOCS,
	...['examples', 'test'].flatMap(filesIn).filter(isPage),
];

const headingsOf = (page: string): string[] =>
	Array.from(
		read(page)
			.replaceAll(/^```.*?^```/gms, '')
			.matchAll(/^#+ (.+)$/gm),
		([, heading = '']) => heading,
	);

/** What comes after `#` in a link to a heading. */
const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
		.replaceAll(' ', '-');

/** The links and pictures of a page in the repository, as "file#heading" by their paths from the root. */
const linksOf = (page: string): string[] =>
	Array.from(
		read(page).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"\s]+)"/g),
		([, link = '', inHtml = '']) => link + inHtml,
	)
		.filter((link) => !/^https?:/.test(link))
		.map((link) => (link.startsWith('#') ? page + link : path.join(path.dirname(page), link)));

function leadsNowhere(link: string): boolean {
	const [file = '', anchor] = link.split('#');
	if (!existsSync(path.join(root, file))) return true;
	return anchor !== undefined && !headingsOf(file).map(anchorOf).includes(anchor);
}

test.each(generatedFiles())('$file is what npm run docs makes', ({ file, content }) => {
	expect(readFileSync(file, 'utf8')).toBe(content);
});

test("there is an output schema for every operation in the node's versions, and no other", () => {
	const { version } = new AssistantService().description;
	const versions = [version].flat().map((one) => [...String(one).split('.'), '0', '0'].slice(0, 3));
	const schemas = [...operations.keys()].map((path) => `${path.replace('.', '/')}.json`);
	const wanted = versions.flatMap((one) => schemas.map((file) => `v${one.join('.')}/${file}`));

	const files = filesIn(SCHEMAS).filter((file) => file.endsWith('.json'));
	expect(files.sort()).toEqual(wanted.map((file) => path.join(SCHEMAS, file)).sort());
});

test.each(PAGES)('every link of %s leads to a file and a heading', (page) => {
	expect(linksOf(page).filter(leadsNowhere)).toEqual([]);
});

test.each(PAGES)('every command that %s names is there', (page) => {
	const named = Array.from(read(page).matchAll(/npm run ([\w:-]+)/g), ([, name = '']) => name);

	expect(named.filter((name) => !(name in packageJson.scripts))).toEqual([]);
});

/** Files as pages name them in code, e.g. `test/scan.test.ts`. */
const NAMED_FILES = /`((?:\.github|credentials|examples|nodes|playground|test)\/[\w./-]+\.\w+)`/g;

test.each(PAGES)('every file that %s names is there', (page) => {
	const named = Array.from(read(page).matchAll(NAMED_FILES), ([, file = '']) => file);

	expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test('docs/verification.md names tests that are there', () => {
	const named = Array.from(
		read('docs/verification.md').matchAll(/`(test\/[\w./]+)`((?:, "[^"]+")+)/g),
		([, file = '', names = '']) => [file, names.match(/[^", ][^"]*(?=")/g) ?? []] as const,
	);

	expect(named.length).toBeGreaterThan(3);
	for (const [file, names] of named) {
		const text = read(file);
		expect(names.filter((name) => !text.includes(name))).toEqual([]);
	}
});

test('README.md is short, whatever the number of operations', () => {
	const text = read('README.md');
	const byHand = text.replace(operationsTable(), '');

	expect(byHand.length).toBeLessThan(text.length);
	expect(byHand.split(/\s+/).length).toBeLessThan(1_200);
});

test.each(PAGES)('%s is written in Latin letters', (page) => {
	expect(read(page).match(/(?!\p{Script=Latin})\p{L}/gu) ?? []).toEqual([]);
});

test.each(schemaFiles())('the simplified output of $file has at most 10 fields', ({ content }) => {
	const { properties } = JSON.parse(content) as OutputSchema;
	// Only an item that was held back has it, and that has none of the answer.
	const fields = Object.keys(properties).filter((name) => name !== 'notBefore');

	expect(fields.length).toBeLessThanOrEqual(10);
});

test('the operation that CONTRIBUTING.md shows is one of the node, as it is compiled', () => {
	const shown = Array.from(
		read('CONTRIBUTING.md').matchAll(/^ *```ts\n(.*?)^ *```$/gms),
		([, code = '']) => code,
	).filter((code) => code.includes('defineOperation'));
	const sources = filesIn('nodes/AssistantService/resources').map(read);

	expect(shown).toHaveLength(1);
	expect(shown.filter((code) => !sources.some((source) => source.includes(code)))).toEqual([]);
});

/** The files that each row of the table names: from the root, in nodes/shared, or beside the one before. */
function filesToRead(): string[][] {
	const [, section = ''] = read('CONTRIBUTING.md').split('## Where to start reading');
	const [table = ''] = section.split('## ');
	const rows = table.split('\n').filter((line) => line.startsWith('|'));
	return rows.map((line) =>
		Array.from(line.matchAll(/`([\w./]+\.\w+)`/g), ([, name = '']) => name),
	);
}

test('the files to read first are there', () => {
	const isThere = (name: string, index: number, row: string[]): boolean =>
		['', 'nodes/shared', ...row.slice(0, index).map((before) => path.dirname(before))]
			.flatMap((folder) => [folder, path.join('nodes/shared', folder)])
			.some((folder) => existsSync(path.join(root, folder, name)));

	const rows = filesToRead();
	expect(rows.flat().length).toBeGreaterThan(20);
	expect(rows.flatMap((row) => row.filter((...of) => !isThere(...of)))).toEqual([]);
});

test('docs/README.md names every page of docs', () => {
	const named = linksOf('docs/README.md');

	expect(DOCS.filter((page) => page !== 'docs/README.md' && !named.includes(page))).toEqual([]);
});

test('every section of the service that is cited is a heading of docs/service.md', () => {
	const sections = new Set(
		headingsOf('docs/service.md').map((heading) => heading.split(/\.? /)[0]),
	);
	const sources = ['nodes', 'credentials', 'test']
		.flatMap(filesIn)
		.filter((file) => /\.(?:ts|md)$/.test(file));
	const cited = [...sources, ...DOCS, 'README.md'].flatMap((file) =>
		[...read(file).matchAll(/\bS (\d+(?:\.\d+)?)(?: to (\d+\.\d+))?/g)].flatMap(
			([, from = '', to = from]) =>
				[...new Set([from, to])].map((section) => `${file}: ${section}`),
		),
	);

	expect(cited.length).toBeGreaterThan(100);
	expect(cited.filter((one) => !sections.has(one.split(': ')[1]))).toEqual([]);
});
