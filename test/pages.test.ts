import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '..');
const read = (page: string): string => readFileSync(path.join(root, page), 'utf8');

/** Pages for users, each with the most words that it may have, without what is made from data. */
const USER_PAGES = {
	'README.md': 700,
	'docs/playground.md': 500,
	'docs/call-a-list.md': 1_000,
	'docs/install.md': 350,
	'docs/receive-call-results.md': 600,
	'docs/wait-for-calls.md': 450,
	'docs/share-contacts.md': 900,
	'docs/recover-a-run.md': 750,
	'docs/ai-agents.md': 450,
	'docs/queue-mode.md': 450,
	'docs/operations.md': 400,
	'docs/credential.md': 400,
	'docs/contact-rules.md': 700,
	'docs/contact-book.md': 600,
	'docs/trigger.md': 700,
	'docs/errors.md': 150,
	'docs/called-twice.md': 350,
	'SECURITY.md': 350,
	'docs/README.md': 1_000,
	'examples/README.md': 1_000,
};

/** Pages that lead to others, and their words together. */
const INDEXES = ['docs/README.md', 'examples/README.md', 'CHANGELOG.md'];
const MOST_WORDS_OF_INDEXES = 1_000;

/** Pages for others. */
const OTHER_PAGES = {
	'CONTRIBUTING.md': 1_200,
	'docs/contributing/delivery.md': 1_100,
	'docs/contributing/n8n-quirks.md': 500,
	'docs/contributing/releasing.md': 400,
	'docs/contributing/service.md': 500,
	'docs/contributing/performance.md': 500,
};

/** Of all pages for users together. */
const MOST_WORDS_FOR_USERS = 11_500;

const LONGEST_SENTENCE = 25;
const MEDIAN_SENTENCE = 14;

/** Words of the code that tell a user nothing. A gate of a garden, a quotation mark and "note that" are none of them. */
const WORDS_OF_CODE =
	/\b(?:the gate|leases?|shel(?:f|ves)|digests?|(?<!(?:exclamation|order|question|quotation) )marks?|notes? (?:of|for) (?:an?|each|every|the) (?:execution|item|run|send|try))\b/gi;

/** Made from data: `docs/write.ts` puts it between these comments. */
const GENERATED = /<!-- prettier-ignore-start -->[^]*?<!-- prettier-ignore-end -->/g;

/** A page made from data as a whole. */
const IS_GENERATED = /^This page is made from /m;

/** What somebody wrote, without code blocks, pictures, tags and the targets of links. A piece of code in a line is one word. */
function proseOf(page: string): string {
	const text = read(page);
	return IS_GENERATED.test(text)
		? ''
		: text
				.replaceAll(GENERATED, '')
				.replaceAll(/^ *```[^]*?^ *```$/gm, '')
				.replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
				.replaceAll(/<[^>]*>/g, '')
				.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
				.replaceAll(/`[^`]*`/g, 'code')
				.replaceAll('e.g.', 'eg');
}

const wordsIn = (text: string): number =>
	text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Paragraphs, entries of lists and cells of tables. Headings are left out. */
function blocksOf(page: string): string[] {
	const blocks: string[] = [];
	let isOpen = false;
	for (const line of proseOf(page).split('\n')) {
		const text = line.replace(/^\s*(?:[-*]|\d+\.)\s+/, '').trim();
		const isOwn = text !== line.trim();
		if (text === '' || line.startsWith('#')) isOpen = false;
		else if (text.startsWith('|')) blocks.push(...text.split('|'));
		else if (isOpen && !isOwn) blocks.push(`${blocks.pop() ?? ''} ${text}`);
		else blocks.push(text);
		isOpen = text !== '' && !/^[|#]/.test(text);
	}
	return blocks;
}

const sentencesOf = (page: string): string[] =>
	blocksOf(page)
		.flatMap((block) => block.split(/(?<=[.!?]["*_)]*)\s+/))
		.filter((sentence) => wordsIn(sentence) > 0);

function medianOf(numbers: readonly number[]): number {
	const sorted = [...numbers].sort((one, other) => one - other);
	return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

describe.each(Object.entries({ ...USER_PAGES, ...OTHER_PAGES }))('%s', (page, most) => {
	it(`is there, with at most ${most} words`, () => {
		expect(existsSync(path.join(root, page))).toBe(true);
		expect(wordsIn(proseOf(page))).toBeLessThanOrEqual(most);
	});
});

const written = Object.keys(USER_PAGES).filter((page) => existsSync(path.join(root, page)));

describe.each(written)('%s', (page) => {
	it('is written in short sentences', () => {
		const sentences = sentencesOf(page);
		const tooLong = sentences.filter((sentence) => wordsIn(sentence) > LONGEST_SENTENCE);

		expect(tooLong).toEqual([]);
		expect(medianOf(sentences.map(wordsIn))).toBeLessThanOrEqual(MEDIAN_SENTENCE);
	});

	it('speaks plainly, in no words of the code', () => {
		expect(read(page).match(/\bwho(?:ever|m)\b/gi) ?? []).toEqual([]);
		expect(proseOf(page).match(WORDS_OF_CODE) ?? []).toEqual([]);
	});
});

test('a user has few words to read in all', () => {
	const wordsOf = (pages: readonly string[]): number =>
		pages.reduce((sum, page) => sum + wordsIn(proseOf(page)), 0);

	expect(wordsOf(INDEXES)).toBeLessThanOrEqual(MOST_WORDS_OF_INDEXES);
	expect(wordsOf(written)).toBeLessThanOrEqual(MOST_WORDS_FOR_USERS);
});
