import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { operationsReference, operationsTable } from './operations';

/** Between them the README holds the table; the formatter leaves it alone. */
const START = '<!-- prettier-ignore-start -->';
const END = '<!-- prettier-ignore-end -->';

/** The files that are made from the node's data, with what they have to hold. */
export function generatedFiles(): { file: string; content: string }[] {
	const readme = path.join(__dirname, '..', 'README.md');
	const text = readFileSync(readme, 'utf8');
	const before = text.slice(0, text.indexOf(START));
	const after = text.slice(text.indexOf(END));
	return [
		{ file: readme, content: `${before}${START}\n\n${operationsTable()}\n\n${after}` },
		{ file: path.join(__dirname, 'operations.md'), content: operationsReference() },
	];
}

if (require.main === module) {
	for (const { file, content } of generatedFiles()) writeFileSync(file, content);
}
