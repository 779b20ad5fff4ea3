import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { operationsReference, operationsTable } from './operations';
import { queueModeSetup } from './scaling';
import { refusalsTable } from './trigger';

/** Between them a page holds what is made from data; the formatter leaves it alone. */
const START = '<!-- prettier-ignore-start -->';
const END = '<!-- prettier-ignore-end -->';

const README = path.join(__dirname, '..', 'README.md');
const SCALING = path.join(__dirname, 'scaling.md');
const TRIGGER = path.join(__dirname, 'trigger.md');

/** The files that are made from data, with what they have to hold. */
export function generatedFiles(): { file: string; content: string }[] {
	return [
		{ file: README, content: withGenerated(README, operationsTable()) },
		{ file: path.join(__dirname, 'operations.md'), content: operationsReference() },
		{ file: SCALING, content: withGenerated(SCALING, queueModeSetup()) },
		{ file: TRIGGER, content: withGenerated(TRIGGER, refusalsTable()) },
	];
}

/** The page as it is, with this between the marks. */
function withGenerated(file: string, content: string): string {
	const text = readFileSync(file, 'utf8');
	const before = text.slice(0, text.indexOf(START));
	const after = text.slice(text.indexOf(END));
	return `${before}${START}\n\n${content}\n\n${after}`;
}

if (require.main === module) {
	for (const { file, content } of generatedFiles()) writeFileSync(file, content);
}
