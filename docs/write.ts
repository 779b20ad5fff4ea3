import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { columnsTable } from './contactBook';
import { exampleOperation } from './contributing';
import { errorsPage } from './errors';
import { operationsReference, operationsTable } from './operations';
import { schemaFiles } from './outputSchemas';
import { queueModeSetup } from './queueMode';
import { refusalsTable, trialCommand, trialSteps } from './trigger';
import { serviceSections } from './service';

/** Between them a page holds what is made from data; the formatter leaves it alone. */
const START = '<!-- prettier-ignore-start -->';
const END = '<!-- prettier-ignore-end -->';

const README = path.join(__dirname, '..', 'README.md');
const CONTRIBUTING = path.join(__dirname, '..', 'CONTRIBUTING.md');
const CONTACT_BOOK = path.join(__dirname, 'contact-book.md');
const ERRORS = path.join(__dirname, 'errors.md');
const QUEUE_MODE = path.join(__dirname, 'queue-mode.md');
const TRIGGER = path.join(__dirname, 'trigger.md');
const RECEIVE = path.join(__dirname, 'receive-call-results.md');
const SERVICE = path.join(__dirname, 'contributing', 'service.md');

/** The files that are made from data, with what they have to hold. */
export function generatedFiles(): { file: string; content: string }[] {
	return [
		{ file: README, content: withGenerated(README, trialCommand(), operationsTable()) },
		{ file: CONTRIBUTING, content: withGenerated(CONTRIBUTING, exampleOperation()) },
		{ file: path.join(__dirname, 'operations.md'), content: operationsReference() },
		{ file: CONTACT_BOOK, content: withGenerated(CONTACT_BOOK, columnsTable()) },
		{ file: ERRORS, content: withGenerated(ERRORS, errorsPage()) },
		{ file: QUEUE_MODE, content: withGenerated(QUEUE_MODE, queueModeSetup()) },
		{ file: TRIGGER, content: withGenerated(TRIGGER, refusalsTable()) },
		{ file: RECEIVE, content: withGenerated(RECEIVE, trialSteps()) },
		{ file: SERVICE, content: withSections(SERVICE, serviceSections()) },
		...schemaFiles(),
	];
}

/**
 * The page as it is, with these parts between its marks, in their order.
 *
 * @throws Error if the page has not as many pairs of marks
 */
function withGenerated(file: string, ...parts: string[]): string {
	const texts = readFileSync(file, 'utf8').split(new RegExp(`${START}[^]*?${END}`));
	if (texts.length !== parts.length + 1) {
		throw new Error(`${path.basename(file)} has ${texts.length - 1} pairs of marks`);
	}
	return texts
		.flatMap((text, index) => [...parts.slice(index - 1, index).map(marked), text])
		.join('');
}

/**
 * The page as it is, with each of these sections in the place of the one with its number. A new one comes at the end of
 * the chapter of the last one.
 *
 * @throws Error if the page has a section that is not among them
 */
function withSections(file: string, sections: readonly string[]): string {
	const missing = new Map(sections.map((section) => [numberOf(section), section]));
	const filled = readFileSync(file, 'utf8').replace(
		new RegExp(`${START}\\s*(### [^]*?)${END}`, 'g'),
		(_, old: string) => {
			const section = missing.get(numberOf(old));
			if (section === undefined) throw new Error(`nothing makes section ${numberOf(old)}`);
			missing.delete(numberOf(old));
			return marked(section);
		},
	);
	const chapterEnd = filled.indexOf('\n## ', filled.lastIndexOf(END));
	const added = [...missing.values()].map((section) => `${marked(section)}\n\n`).join('');
	return filled.slice(0, chapterEnd + 1) + added + filled.slice(chapterEnd + 1);
}

/** The number in the heading of a section: "4.1". */
const numberOf = (section: string): string => section.split(' ')[1] ?? '';

const marked = (part: string): string => `${START}\n\n${part}\n\n${END}`;

if (require.main === module) {
	for (const { file, content } of generatedFiles()) {
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, content);
	}
}
