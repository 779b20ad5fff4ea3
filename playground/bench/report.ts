import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { count, targetTable } from './markdown';
import type { Measurement } from './measure';
import { DOCS, measuredOn, type Report, writePart } from './page';
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
export function report(measurements: readonly Measurement[]): Report {
	const targets = [measuredOn(), targetTable(targetsOf(measurements))];
	return { targets: targets.join('\n\n'), figures: allFigures(measurements) };
}

/** What each runner took in each scenario, as Markdown. */
export const allFigures = (measurements: readonly Measurement[]): string =>
	measurements
		.flatMap((measurement) => [heading(measurement), measurementTable(measurement)])
		.join('\n\n');

/** Puts the report into the pages, and draws the plot. */
export async function writePages(measurements: readonly Measurement[]): Promise<void> {
	await writePart('measured', report(measurements));
	writeFileSync(PLOT, plot(measurements.filter(isSweep)));
}
