import { SAID } from '../docs/errorTexts';
import { toldProblems } from '../docs/texts';
import { filesIn, read } from './repository';

const page = read('docs/errors.md');
const rows = page.split('\n').filter((line) => /^\| (?!---)/.test(line));
const problems = toldProblems();

test('docs/errors.md has every text that the nodes say of a problem, and says what to do', () => {
	const cells = rows.flatMap((line) => line.slice(2).split(' | '));

	const messages = problems.map(({ message }) => message.replaceAll('|', '\\|'));
	expect(messages.filter((message) => !cells.includes(message))).toEqual([]);
	expect(rows.length).toBeGreaterThan(70);
	expect(rows.filter((line) => line.split(' | ').slice(0, 4).includes(''))).toEqual([]);
});

test.each([
	['of the table of kinds', 'nodes/shared/answer/failure.ts', 15],
	['of the contact book', 'nodes/shared/book/', 16],
	['of the trigger', 'nodes/AssistantServiceTrigger/', 9],
	['of the connection test', 'nodes/AssistantService/testCredential.ts', 4],
	['of both nodes', 'nodes/', 60],
])('the texts %s are found in the code', (_, place, least) => {
	const count = problems.filter(({ file }) => file.startsWith(place)).length;

	expect(count).toBeGreaterThanOrEqual(least);
});

test('no text stands twice under the headings of docs/errors.md', () => {
	const texts = Object.values(SAID).flatMap((said) => said.map(([text]) => text));

	expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});

test.each([
	' is empty',
	'; the item has ',
	' needs the contact book: turn on "Contact Book" in the credential',
	', or remove the rule',
	', and an earlier try may have sent it',
])('docs/errors.md shows by hand what the code says: %s', (text) => {
	expect(page).toContain(text);
	expect(filesIn('nodes', '.ts').filter((file) => read(file).includes(text))).not.toEqual([]);
});
