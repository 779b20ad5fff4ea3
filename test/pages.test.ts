import { read } from './repository';

/** The most words of pages, without what is made from data. */
type Budget = readonly [most: number, pages: readonly string[]];

const FOR_USERS: readonly Budget[] = [
	[150, ['docs/errors.md']],
	[350, ['docs/install.md', 'docs/called-twice.md', 'SECURITY.md']],
	[400, ['docs/credential.md']],
	[450, ['docs/wait-for-calls.md', 'docs/ai-agents.md', 'docs/queue-mode.md']],
	[500, ['docs/playground.md']],
	[600, ['docs/receive-call-results.md', 'docs/contact-book.md']],
	[700, ['README.md', 'docs/contact-rules.md', 'docs/trigger.md']],
	[750, ['docs/recover-a-run.md']],
	[900, ['docs/run-a-list.md', 'docs/share-contacts.md']],
	[1_000, ['docs/call-a-list.md', 'docs/README.md', 'examples/README.md']],
];

const FOR_OTHERS: readonly Budget[] = [
	[400, ['docs/contributing/releasing.md']],
	[500, ['n8n-quirks', 'service', 'performance'].map((name) => `docs/contributing/${name}.md`)],
	[1_100, ['docs/contributing/delivery.md']],
	[1_200, ['CONTRIBUTING.md']],
];

/** In words. */
const LONGEST_SENTENCE = 25;
const MEDIAN_SENTENCE = 14;

/** Words of the code that tell a user nothing. A gate of a garden, a quotation mark and "note that" are none of them. */
const WORDS_OF_CODE =
	/\b(?:the gate|leases?|shel(?:f|ves)|digests?|(?<!(?:exclamation|order|question|quotation) )marks?|notes? (?:of|for) (?:an?|each|every|the) (?:execution|item|run|send|try))\b/gi;

/** Made from data: `docs/write.ts` puts it between these comments. */
const GENERATED = /<!-- prettier-ignore-start -->[^]*?<!-- prettier-ignore-end -->/g;

/** What somebody wrote, without code blocks, pictures, tags and the targets of links. A piece of code in a line is one word. */
const proseOf = (page: string): string =>
	read(page)
		.replaceAll(GENERATED, '')
		.replaceAll(/^ *```[^]*?^ *```$/gm, '')
		.replaceAll(/!\[[^\]]*\]\([^)]*\)|<[^>]*>/g, '')
		.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replaceAll(/`[^`]*`/g, 'code')
		.replaceAll('e.g.', 'eg');

const wordsIn = (text: string): number =>
	text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Between paragraphs, entries of lists, cells of tables and headings. */
const ENDS_OF_BLOCKS = /\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)|\||\n(?=#)|(?<=^#.*)\n/m;

const sentencesOf = (page: string): string[] =>
	proseOf(page)
		.split(ENDS_OF_BLOCKS)
		.filter((block) => !block.trimStart().startsWith('#'))
		.map((block) => block.replace(/^\s*(?:[-*]|\d+\.)\s+/, ''))
		.flatMap((block) => block.split(/(?<=[.!?]["*_)]*)\s+/))
		.filter((sentence) => wordsIn(sentence) > 0);

test.each([...FOR_USERS, ...FOR_OTHERS])('at most %d words have %j', (most, pages) => {
	const counts = pages.map((page) => ({ page, words: wordsIn(proseOf(page)) }));

	expect(counts.filter(({ words }) => words > most)).toEqual([]);
});

test.each(['docs/operations.md', ...FOR_USERS.flatMap(([, pages]) => pages)])(
	'%s is written in short sentences, plainly, in no words of the code',
	(page) => {
		const sentences = sentencesOf(page);
		const lengths = sentences.map(wordsIn).sort((a, b) => a - b);

		expect(sentences.filter((text) => wordsIn(text) > LONGEST_SENTENCE)).toEqual([]);
		expect(lengths[Math.floor(lengths.length / 2)] ?? 0).toBeLessThanOrEqual(MEDIAN_SENTENCE);
		expect(read(page).match(/\bwho(?:ever|m)\b/gi) ?? []).toEqual([]);
		expect(proseOf(page).match(WORDS_OF_CODE) ?? []).toEqual([]);
	},
);

test('the indexes together have few words', () => {
	const indexes = ['docs/README.md', 'examples/README.md', 'CHANGELOG.md'];

	expect(wordsIn(indexes.map(proseOf).join(' '))).toBeLessThanOrEqual(1_000);
});
