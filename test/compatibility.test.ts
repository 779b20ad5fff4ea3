import { compatibilityPage, type Row, type Seen } from '../playground/compat/document';

const ROWS: Row[] = [
	{ title: 'Starts', limit: { before: '1.9', text: 'Shown nowhere.' } },
	{ title: 'Retries', limit: { before: '2.14', text: 'It has no store.' } },
];

const seenIn = (version: string, ...passed: boolean[]): Seen => ({
	version,
	passed: new Map(
		ROWS.flatMap(({ title }, index) => [[title, passed[index]] as const]).filter(has),
	),
});

const has = (entry: readonly [string, boolean | undefined]): entry is readonly [string, boolean] =>
	entry[1] !== undefined;

const linesOf = (page = ''): string[] => page.split('\n').filter((line) => line.startsWith('| '));

it('has a row for each check and a column for each version, with what was seen', () => {
	const page = compatibilityPage(ROWS, [
		seenIn('1.123.81', true, true),
		seenIn('2.9.4', true, true),
		seenIn('2.41.1', false, true),
	]);
	expect(linesOf(page)).toEqual([
		'|  | 1.123.81 | 2.9.4 | 2.41.1 |',
		'| --- | --- | --- | --- |',
		'| Starts | ok | ok | **failed** |',
		'| Retries | ok, with limit 1 | ok, with limit 1 | ok |',
	]);
	expect(page).toContain('\n1. Before n8n 2.14: It has no store.\n');
	expect(page).not.toContain('Shown nowhere.');
	expect(page).toContain('\nReleases after 2.41.1 were not tried.');
});

it('shows a failure where a limit is known, and no limit that belongs to nothing', () => {
	const page = compatibilityPage(ROWS, [seenIn('1.123.81', true, false)]);
	expect(linesOf(page).at(-1)).toBe('| Retries | **failed** |');
	expect(page).not.toContain('It has no store.');
});

it('is not written when something was left out', () => {
	const seen = [seenIn('1.123.81', true, true), seenIn('2.41.1', true)];
	expect(compatibilityPage(ROWS, seen)).toBeUndefined();
});
