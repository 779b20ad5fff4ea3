import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '..');
const IMAGES = 'docs/images';
const MOST_BYTES = 2_000_000;
const DARK = '.dark.webp';

const filesIn = (folder: string): string[] =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
		path.join(folder, file),
	);
const PAGES = ['README.md', ...filesIn('docs'), ...filesIn('examples')].filter((file) =>
	file.endsWith('.md'),
);
const PICTURES = filesIn(IMAGES).filter((file) => file.endsWith('.webp'));
const LIGHT = PICTURES.filter((file) => !file.endsWith(DARK));
const EXAMPLES = filesIn('examples').filter((file) => /^examples\/[^/]+\.json$/.test(file));

interface Shown {
	page: string;
	/** The path from the root. */
	file: string;
	alt: string;
}

/** The pictures of a page, as HTML and as Markdown. */
function shownBy(page: string): Shown[] {
	const text = readFileSync(path.join(root, page), 'utf8');
	const inHtml = Array.from(text.matchAll(/<img\b[^>]*>/g), ([tag]) => ({
		source: /\bsrc="([^"]*)"/.exec(tag)?.[1] ?? '',
		alt: /\balt="([^"]*)"/.exec(tag)?.[1] ?? '',
	}));
	const inDark = Array.from(
		text.matchAll(/<source\b[^>]*srcset="([^"]*)"/g),
		([, source = '']) => ({
			source,
			alt: '(of its img)',
		}),
	);
	const inMarkdown = Array.from(
		text.matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g),
		([, alt = '', source = '']) => ({ source, alt }),
	);
	return [...inHtml, ...inDark, ...inMarkdown]
		.filter(({ source }) => !/^https?:/.test(source))
		.map(({ source, alt }) => ({ page, file: path.join(path.dirname(page), source), alt }));
}

const SHOWN = PAGES.flatMap(shownBy);

test('all pictures together are smaller than 2 MB', () => {
	const sum = PICTURES.reduce((bytes, file) => bytes + statSync(path.join(root, file)).size, 0);
	expect(sum).toBeLessThan(MOST_BYTES);
	expect(sum).toBeGreaterThan(0);
});

test('every picture is there for light and for dark pages', () => {
	const dark = LIGHT.map((file) => file.replace(/\.webp$/, DARK));
	expect(PICTURES.filter((file) => file.endsWith(DARK)).sort()).toEqual(dark.sort());
});

test('every example has a picture of its canvas', () => {
	const wanted = EXAMPLES.map((file) => `${IMAGES}/examples/${path.basename(file, '.json')}.webp`);
	expect(wanted.filter((file) => !LIGHT.includes(file))).toEqual([]);
});

test('every picture that a page shows is there, and the page says in words what is to be seen', () => {
	expect(SHOWN.length).toBeGreaterThan(0);
	expect(SHOWN.filter(({ file }) => !existsSync(path.join(root, file)))).toEqual([]);
	expect(SHOWN.filter(({ alt }) => alt.length < 10)).toEqual([]);
});
