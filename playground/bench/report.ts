import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { count, targetTable } from './markdown';
import type { Measurement } from './measure';
import { DOCS, measuredOn, writePart } from './page';
import { plot } from './plot';
import { measurementTable } from './tables';
import { targetsOf } from './targets';

const PLOT = path.join(DOCS, 'images', 'performance.svg');

const isSweep = ({ scenario }: Measurement): boolean => scenario.id.startsWith('noLatency-');

function heading({ scenario, rounds }: Measurement): string {
	const { title, items } = scenario;
	const often = rounds.length === 1 ? '1 round' : `${rounds.length} rounds`;
	return `### ${title}: ${count(items)} items, ${often}`;
}

/** Everything that was measured, as Markdown. */
export function report(measurements: readonly Measurement[]): string {
	return [
		measuredOn(),
		'## Targets',
		'Ratios by number of items: median, and in brackets the least and the greatest of the rounds.',
		targetTable(targetsOf(measurements)),
		'## Time and freeze against the number of items',
		'![Time and longest freeze against the number of items](images/performance.svg)',
		'## All figures',
		allFigures(measurements),
	].join('\n\n');
}

/** What each runner took in each scenario, as Markdown. */
export const allFigures = (measurements: readonly Measurement[]): string =>
	measurements
		.flatMap((measurement) => [heading(measurement), measurementTable(measurement)])
		.join('\n\n');

/** Puts the report into the page, and draws the plot. */
export async function writePage(
	measurements: readonly Measurement[],
	markdown: string,
): Promise<void> {
	await writePart('measured', markdown);
	writeFileSync(PLOT, plot(measurements.filter(isSweep)));
}
