import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

import { schemaFiles, type OutputSchema } from '../docs/outputSchemas';
import { toldProblems } from '../docs/texts';
import { generatedFiles } from '../docs/write';
import packageJson from '../package.json';
import { filesIn, groupsIn, read, ROOT } from './repository';

const PAGES = [
	...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
	...['docs', 'examples', 'test'].flatMap((folder) => filesIn(folder, '.md')),
];

const isThere = (file: string): boolean => existsSync(path.join(ROOT, file));

/** What comes after `#` in links to the headings of a page. */
const anchorsOf = (page: string): string[] =>
	groupsIn(read(page).replaceAll(/^```.*?^```/gms, ''), /^#+ (.+)$/gm)
		.flatMap(([heading = '']) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, ''))
		.map((heading) => heading.replaceAll(' ', '-'));

/** The links and pictures of a page in the repository, as "file#heading" by their paths from the root. */
const linksOf = (page: string): string[] =>
	groupsIn(read(page), /\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"\s]+)"/g)
		.map((links) => links.join(''))
		.filter((link) => !/^https?:/.test(link))
		.map((link) => (link.startsWith('#') ? page + link : path.join(path.dirname(page), link)));

const leadsNowhere = (link: string): boolean => {
	const [file = '', anchor] = link.split('#');
	return !isThere(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
};

/** Sources as pages name them in code, some from the folder that the one before them is in; and what they are to hold. */
const NAMED =
	/`((?:\.github|examples|nodes|playground|test)\/[\w./-]+\.\w+|[\w./-]+\.ts)`((?:, "[^"]+")*)/g;
const SOURCES = ['nodes', 'credentials', 'docs', 'test', 'playground/page'].flatMap((folder) =>
	filesIn(folder, '.ts'),
);

const isSource = ([name = '', texts = '']: string[]): boolean => {
	const files = isThere(name) ? [name] : SOURCES.filter((file) => `/${file}`.endsWith(`/${name}`));
	const parts = groupsIn(texts, /"(.+?)"/g).flat();
	return files.some((file) => parts.every((part) => read(file).includes(part)));
};

/** Settings of n8n that its rules for version 3 call removed. */
const REMOVED = /OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS|N8N_PRE_EXECUTE_ERROR_CREATES_EXECUTION/;

describe.each(PAGES)('%s', (page) => {
	const text = read(page);

	it('names links, commands and files that are there, and no setting that n8n 3 does not have', () => {
		const commands = groupsIn(text, /npm run ([\w:-]+)/g).flat();
		expect(linksOf(page).filter(leadsNowhere)).toEqual([]);
		expect(commands.filter((name) => !(name in packageJson.scripts))).toEqual([]);
		expect(groupsIn(text, NAMED).filter((named) => !isSource(named))).toEqual([]);
		expect(text).not.toMatch(REMOVED);
	});

	it('is written in Latin letters, and says in words what is to be seen in its pictures', () => {
		const pictures = text.match(/<img\b[^>]*|!\[[^\]]*\]\(/g) ?? [];
		expect(pictures.filter((tag) => !/\balt="[^"]{10,}"|!\[.{10,}\]/.test(tag))).toEqual([]);
		expect(text.match(/(?!\p{Script=Latin})\p{L}/gu)).toBeNull();
	});
});

test.each(generatedFiles())('$file is what npm run docs makes', ({ file, content }) => {
	expect(read(path.relative(ROOT, file))).toBe(content);
});

test.each(schemaFiles())('the simplified output of $file has at most 10 fields', ({ content }) => {
	const { properties } = JSON.parse(content) as OutputSchema;
	// Only some items say these: one that was held back, which has none of the answer, and one with an option.
	const sometimes = ['notBefore', 'reference', 'reached'];
	const fields = Object.keys(properties).filter((name) => !sometimes.includes(name));

	expect(fields.length).toBeLessThanOrEqual(10);
});

test('every picture that stands is there for light and for dark pages, and all are small', () => {
	const pictures = filesIn('docs/images', '.webp').filter((file) => !file.includes('first-call'));
	const names = pictures.map((file) => file.replace(/(?:\.dark)?\.webp$/, ''));

	const both = [...new Set(names)].flatMap((name) => [`${name}.dark.webp`, `${name}.webp`]);
	expect(pictures.sort()).toEqual(both.sort());
	const sizes = pictures.map((file) => statSync(path.join(ROOT, file)).size);
	expect(sizes.reduce((all, one) => all + one, 0)).toBeLessThan(2_000_000);
});

test('docs/README.md names every page of docs', () => {
	const pages = filesIn('docs', '.md').filter((page) => page !== 'docs/README.md');

	expect(linksOf('docs/README.md')).toEqual(expect.arrayContaining(pages));
});

test('every section of the service that is cited is a heading of docs/contributing/service.md', () => {
	const page = read('docs/contributing/service.md');
	const sections = groupsIn(page, /^#+ (\d+(?:\.\d+)?)/gm).flat();
	const texts = [...SOURCES, ...PAGES].map(read).join('\n');
	const cited = texts.match(/(?<=\bS (?:[\d.]+ to )?)\d+(?:\.\d+)?/g) ?? [];

	expect(cited.length).toBeGreaterThan(100);
	expect(cited.filter((section) => !sections.includes(section))).toEqual([]);
});

test('docs/errors.md has every text that the nodes say of a problem, and says what to do', () => {
	const rows = groupsIn(read('docs/errors.md'), /^\| (?!---)(.*) \|$/gm).flat();
	const cells = rows.map((row) => row.split(' | '));

	const messages = toldProblems().map(({ message }) => message.replaceAll('|', '\\|'));
	expect(messages.filter((message) => !cells.flat().includes(message))).toEqual([]);
	expect(messages.length).toBeGreaterThanOrEqual(60);
	expect(cells.filter((row) => row.includes(''))).toEqual([]);
});
