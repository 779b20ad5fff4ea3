import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { SAID } from '../docs/errorTexts';
import { toldProblems } from '../docs/texts';

const root = path.resolve(__dirname, '..');
const page = readFileSync(path.join(root, 'docs/errors.md'), 'utf8');
const cells = page.split('\n').flatMap((line) => line.split(' | '));
/** As it stands in a cell of the page. */
const inCell = (text: string): string => text.replaceAll('|', '\\|');
const isInCell = (text: string): boolean =>
	cells.some((cell) => cell.replace(/^\| /, '') === inCell(text));

test('docs/errors.md has every text that the nodes say of a problem', () => {
	const told = toldProblems();

	expect(told.length).toBeGreaterThan(60);
	expect(told.filter(({ message }) => !isInCell(message))).toEqual([]);
});

test('docs/errors.md says what to do for each of them', () => {
	const rows = page.split('\n').filter((line) => /^\| (?!---)/.test(line));

	expect(rows.length).toBeGreaterThan(70);
	expect(rows.filter((line) => line.split(' | ').slice(0, 4).includes(''))).toEqual([]);
});

test.each([
	['of the table of kinds', 'nodes/shared/answer/failure.ts', 15],
	['of the contact book', 'nodes/shared/book/', 16],
	['of the trigger', 'nodes/AssistantServiceTrigger/', 9],
	['of the connection test', 'nodes/AssistantService/testCredential.ts', 4],
])('the texts %s are found in the code', (_, place, count) => {
	const found = toldProblems().filter(({ file }) => file.startsWith(place));

	expect(found).toHaveLength(count);
});

test('no text stands twice under the headings of docs/errors.md', () => {
	const texts = Object.values(SAID).flatMap((said) => said.map(([text]) => text));

	expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});

test('what docs/errors.md shows of checks by hand is what the code says', () => {
	const sources = readdirSync(path.join(root, 'nodes'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => readFileSync(path.join(root, 'nodes', file), 'utf8'))
		.join();

	for (const part of [
		' is empty',
		'; the item has ',
		' needs the contact book: turn on "Contact Book" in the credential',
		', or remove the rule',
		', and an earlier try may have sent it',
	]) {
		expect(page).toContain(part);
		expect(sources).toContain(part);
	}
});
