import { read } from './repository';

/** Pages for users, each with the most words that it may have, without what is made from data. */
const USER_PAGES = {
	'README.md': 700,
	'docs/playground.md': 500,
	'docs/call-a-list.md': 1_000,
	'docs/run-a-list.md': 900,
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

const INDEXES = ['docs/README.md', 'examples/README.md', 'CHANGELOG.md'];

const OTHER_PAGES = {
	'CONTRIBUTING.md': 1_200,
	'docs/contributing/delivery.md': 1_100,
	'docs/contributing/n8n-quirks.md': 500,
	'docs/contributing/releasing.md': 400,
	'docs/contributing/service.md': 500,
	'docs/contributing/performance.md': 500,
};

/** In words. */
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

/** Between paragraphs, entries of lists, cells of tables and headings. */
const ENDS_OF_BLOCKS = /\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)|\||\n(?=#)|(?<=^#.*)\n/m;

const sentencesOf = (page: string): string[] =>
	proseOf(page)
		.split(ENDS_OF_BLOCKS)
		.filter((block) => !block.trimStart().startsWith('#'))
		.map((block) => block.replace(/^\s*(?:[-*]|\d+\.)\s+/, ''))
		.flatMap((block) => block.split(/(?<=[.!?]["*_)]*)\s+/))
		.filter((sentence) => wordsIn(sentence) > 0);

test.each(Object.entries({ ...USER_PAGES, ...OTHER_PAGES }))(
	'%s has at most %d words',
	(page, most) => {
		expect(wordsIn(proseOf(page))).toBeLessThanOrEqual(most);
	},
);

test.each(Object.keys(USER_PAGES))(
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
	expect(wordsIn(INDEXES.map(proseOf).join(' '))).toBeLessThanOrEqual(1_000);
});
