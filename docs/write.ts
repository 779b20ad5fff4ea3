import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { operationsReference, operationsTable } from './operations';
import { queueModeSetup } from './scaling';
import { refusalsTable } from './trigger';
import { serviceSections } from './service';

/** Between them a page holds what is made from data; the formatter leaves it alone. */
const START = '<!-- prettier-ignore-start -->';
const END = '<!-- prettier-ignore-end -->';

const README = path.join(__dirname, '..', 'README.md');
const SCALING = path.join(__dirname, 'scaling.md');
const TRIGGER = path.join(__dirname, 'trigger.md');
const SERVICE = path.join(__dirname, 'service.md');

/** The files that are made from data, with what they have to hold. */
export function generatedFiles(): { file: string; content: string }[] {
	return [
		{ file: README, content: withGenerated(README, operationsTable()) },
		{ file: path.join(__dirname, 'operations.md'), content: operationsReference() },
		{ file: SCALING, content: withGenerated(SCALING, queueModeSetup()) },
		{ file: TRIGGER, content: withGenerated(TRIGGER, refusalsTable()) },
		{ file: SERVICE, content: withGenerated(SERVICE, ...serviceSections()) },
	];
}

/**
 * The page as it is, with these parts between its marks, in their order.
 *
 * @throws Error if the page has marks for more parts, or for fewer
 */
function withGenerated(file: string, ...parts: string[]): string {
	const [start = '', ...rest] = readFileSync(file, 'utf8').split(START);
	if (rest.length !== parts.length) {
		throw new Error(`${path.basename(file)} has marks for ${rest.length} of ${parts.length} parts`);
	}
	const filled = rest.map((text, index) => {
		const after = text.slice(text.indexOf(END));
		return `${START}\n\n${parts[index] ?? ''}\n\n${after}`;
	});
	return start + filled.join('');
}

if (require.main === module) {
	for (const { file, content } of generatedFiles()) writeFileSync(file, content);
}
