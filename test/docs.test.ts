import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

import { schemaFiles, type OutputSchema } from '../docs/outputSchemas';
import { generatedFiles } from '../docs/write';
import { AssistantService } from '../nodes/AssistantService/AssistantService.node';
import packageJson from '../package.json';
import { operations } from './shared/samples';

const root = path.resolve(__dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const isThere = (file: string): boolean => existsSync(path.join(root, file));
const filesIn = (folder: string): string[] =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
		path.join(folder, file),
	);
const SCHEMAS = 'nodes/AssistantService/__schema__';
const DARK = '.dark.webp';
const isPage = (file: string): boolean => file.endsWith('.md');

const DOCS = filesIn('docs').filter(isPage);
const PAGES = [...readdirSync(root), ...DOCS, ...['examples', 'test'].flatMap(filesIn)].filter(
	isPage,
);
const FILM = 'docs/images/first-call.webp';
const sizeOf = (file: string): number => statSync(path.join(root, file)).size;
const PICTURES = filesIn('docs/images').filter((file) => file.endsWith('.webp'));

/** The groups of all matches in a text. */
const all = (text: string, pattern: RegExp): string[][] =>
	Array.from(text.matchAll(pattern), ([, ...groups]: (string | undefined)[]) =>
		groups.map((group = '') => group),
	);

const headingsOf = (page: string): string[] =>
	all(read(page).replaceAll(/^```.*?^```/gms, ''), /^#+ (.+)$/gm).flat();

/** What comes after `#` in a link to a heading. */
const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
		.replaceAll(' ', '-');

/** The links and pictures of a page in the repository, as "file#heading" by their paths from the root. */
const linksOf = (page: string): string[] =>
	all(read(page), /\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"\s]+)"/g)
		.map((links) => links.join(''))
		.filter((link) => !/^https?:/.test(link))
		.map((link) => (link.startsWith('#') ? page + link : path.join(path.dirname(page), link)));

function leadsNowhere(link: string): boolean {
	const [file = '', anchor] = link.split('#');
	if (!isThere(file)) return true;
	return anchor !== undefined && !headingsOf(file).map(anchorOf).includes(anchor);
}

/** Files as pages name them in code, e.g. `test/release.test.ts`. */
const NAMED_FILES = /`((?:\.github|credentials|examples|nodes|playground|test)\/[\w./-]+\.\w+)`/g;

describe.each(PAGES)('%s', (page) => {
	const text = read(page);

	it('names links, commands and files that are there', () => {
		const commands = all(text, /npm run ([\w:-]+)/g).flat();
		expect(linksOf(page).filter(leadsNowhere)).toEqual([]);
		expect(commands.filter((name) => !(name in packageJson.scripts))).toEqual([]);
		expect(all(text, NAMED_FILES).filter(([file = '']) => !isThere(file))).toEqual([]);
	});

	it('is written in Latin letters', () => {
		expect(text.match(/(?!\p{Script=Latin})\p{L}/gu) ?? []).toEqual([]);
	});

	it('says in words what is to be seen in its pictures', () => {
		const shown = [...all(text, /<img\b[^>]*?\balt="([^"]*)"/g), ...all(text, /!\[([^\]]*)\]\(/g)];
		expect(shown).toHaveLength((text.match(/<img\b|!\[[^\]]*\]\(/g) ?? []).length);
		expect(shown.filter(([alt = '']) => alt.length < 10)).toEqual([]);
	});
});

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

test.each(schemaFiles())('the simplified output of $file has at most 10 fields', ({ content }) => {
	const { properties } = JSON.parse(content) as OutputSchema;
	// Only some items have these: one that was held back, which has none of the answer, and one with the option.
	const sometimes = ['notBefore', 'reference'];
	const fields = Object.keys(properties).filter((name) => !sometimes.includes(name));

	expect(fields.length).toBeLessThanOrEqual(10);
});

test('every picture that stands is there for light and for dark pages, and all are small', () => {
	const light = PICTURES.filter((file) => !file.endsWith(DARK) && file !== FILM);
	const dark = PICTURES.filter((file) => file.endsWith(DARK));
	const bytes = [...light, ...dark].reduce((sum, file) => sum + sizeOf(file), 0);

	expect(dark.sort()).toEqual(light.map((file) => file.replace(/\.webp$/, DARK)).sort());
	expect(bytes).toBeLessThan(2_000_000);
});

test('README.md begins with a moving picture of 20 to 40 seconds that is not large', async () => {
	const { delay = [] } = await sharp(path.join(root, FILM)).metadata();
	const seconds = delay.reduce((sum, ms) => sum + ms, 0) / 1000;

	expect(linksOf('README.md')[0]).toBe(FILM);
	expect(seconds).toBeGreaterThan(20);
	expect(seconds).toBeLessThan(40);
	expect(sizeOf(FILM)).toBeLessThan(1_500_000);
});

/** Settings of n8n that its rules for version 3 call removed. */
const REMOVED = /OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS|N8N_PRE_EXECUTE_ERROR_CREATES_EXECUTION/;

test.each([...PAGES, 'examples/queue-mode/compose.yaml', 'examples/queue-mode/Dockerfile'])(
	'%s names no setting that n8n 3 does not have',
	(file) => {
		expect(read(file)).not.toMatch(REMOVED);
	},
);

test('docs/contributing/releasing.md names tests that are there', () => {
	const named = all(read('docs/contributing/releasing.md'), /`(test\/[\w./]+)`((?:, "[^"]+")+)/g);

	expect(named.length).toBeGreaterThan(3);
	for (const [file = '', names = ''] of named) {
		const text = read(file);
		expect((names.match(/[^", ][^"]*(?=")/g) ?? []).filter((one) => !text.includes(one))).toEqual(
			[],
		);
	}
});

test('CONTRIBUTING.md shows an operation of the node, and names files that are there', () => {
	const text = read('CONTRIBUTING.md');
	const sources = filesIn('nodes').filter((file) => file.endsWith('.ts'));
	const shown = all(text, /^ *```ts\n(.*?)^ *```$/gms).flat();
	const [, section = ''] = text.split('## Where to start reading');
	// Some are named from the folder that the one before them is in.
	const named = all(section.split('## ')[0] ?? '', /`([\w./]+\.\w+)`/g).flat();

	const defined = shown.filter((code) => code.includes('defineOperation'));
	expect(defined).toHaveLength(1);
	expect(sources.some((file) => read(file).includes(defined[0] ?? ''))).toBe(true);
	expect(named.length).toBeGreaterThan(20);
	const files = [...sources, ...filesIn('playground/page')].map((file) => `/${file}`);
	expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

test('docs/README.md names every page of docs', () => {
	const named = linksOf('docs/README.md');

	expect(DOCS.filter((page) => page !== 'docs/README.md' && !named.includes(page))).toEqual([]);
});

test('every section of the service that is cited is a heading of docs/contributing/service.md', () => {
	const sections = headingsOf('docs/contributing/service.md').map(
		(heading) => heading.split(/\.? /)[0],
	);
	const sources = ['nodes', 'credentials', 'test'].flatMap(filesIn);
	const cited = [...sources.filter((file) => /\.(?:ts|md)$/.test(file)), ...DOCS].flatMap((file) =>
		all(read(file), /\bS (\d+(?:\.\d+)?)(?: to (\d+\.\d+))?/g).flatMap(([from = '', to = '']) =>
			[from, to === '' ? from : to].map((section) => ({ file, section })),
		),
	);

	expect(cited.length).toBeGreaterThan(100);
	expect(cited.filter(({ section }) => !sections.includes(section))).toEqual([]);
});
