import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';

import { version } from '../../package.json';
import { row, type Report, type Target } from './report';

const PAGE = path.join(__dirname, '..', '..', 'docs', 'contributing', 'performance.md');

/** What the page shows: ratios beside these nodes of n8n, which say most on another machine. The terminal shows all. */
const OTHER_NODES = /HTTP Request|Webhook/;

const targetsText = (targets: readonly Target[]): string =>
	[
		`Measured on ${new Date().toISOString().slice(0, 10)} with version ${version} on ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}).\n`,
		row(['Target', 'Measured', 'Met']),
		row(['---', '---', '---']),
		...targets.map(({ promise, measured, isMet }) =>
			row([promise, measured, isMet ? 'yes' : '**no**']),
		),
	].join('\n');

/** The whole report, for the terminal. */
export const reportText = ({ targets, figures }: Report): string =>
	`\n${targetsText(targets)}\n\n${figures}\n`;

/** Puts what is shown between the marks of its part of the page; the formatter leaves it alone. */
export function writeReport({ part, targets }: Report): void {
	if (part === undefined) return;
	const shown = targetsText(targets.filter(({ promise }) => OTHER_NODES.test(promise)));
	const [start, end] = [`<!-- ${part}: start -->`, `<!-- ${part}: end -->`];
	const page = readFileSync(PAGE, 'utf8');
	const [from, to] = [page.indexOf(start), page.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`${PAGE} has no part "${part}"`);
	writeFileSync(PAGE, `${page.slice(0, from)}${start}\n\n${shown}\n\n${page.slice(to)}`);
}
