import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { Measurement } from './measure';
import { plot } from './plot';
import { measurementTable, targetTable } from './tables';

const DOCS = path.join(__dirname, '..', '..', 'docs');
const PAGE = path.join(DOCS, 'performance.md');
const PLOT = path.join(DOCS, 'images', 'performance.svg');

/** Between them the page holds what was measured; the text around it is written by hand. */
const START = '<!-- measured: start -->';
const END = '<!-- measured: end -->';

const isSweep = ({ scenario }: Measurement): boolean => scenario.id.startsWith('noLatency-');

function heading({ scenario, rounds }: Measurement): string {
	const { title, items } = scenario;
	return `### ${title}: ${items.toLocaleString('en')} items, ${rounds.length} rounds`;
}

/** Everything that was measured, as Markdown. */
export function report(measurements: readonly Measurement[]): string {
	const processor = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`;
	return [
		`Measured on ${new Date().toISOString().slice(0, 10)} on ${processor}.`,
		'## Targets',
		'Ratios by number of items: median, and in brackets the least and the greatest of the rounds.',
		targetTable(measurements),
		'## Time and freeze against the number of items',
		'![Time and longest freeze against the number of items](images/performance.svg)',
		'## All figures',
		...measurements.flatMap((measurement) => [heading(measurement), measurementTable(measurement)]),
	].join('\n\n');
}

/** Puts the report into the page, and draws the plot. */
export async function writePage(
	measurements: readonly Measurement[],
	markdown: string,
): Promise<void> {
	const page = readFileSync(PAGE, 'utf8');
	const before = page.slice(0, page.indexOf(START));
	const after = page.slice(page.indexOf(END));
	const options = { ...(await resolveConfig(PAGE)), filepath: PAGE };
	writeFileSync(PAGE, await format(`${before}${START}\n\n${markdown}\n\n${after}`, options));
	writeFileSync(PLOT, plot(measurements.filter(isSweep)));
}
