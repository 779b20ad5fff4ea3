import { costOf, ratioOf } from './figures';
import { table } from './markdown';
import type { Measurement } from './measure';
import type { Cost } from './nodes/probe';
import { samplesOf } from './rounds';
import { RUNNER_NAMES, type RunnerId } from './runners';
import { scaled, withSpread } from './statistics';

const MEGABYTE = 1e6;

const COLUMNS = [
	'Runner',
	'ms per item',
	'× this node',
	'longest freeze, ms',
	'of it busy, ms',
	'heap, MB',
	'process, MB',
	'delivered once',
	'twice',
	'lost',
	'in flight',
];

function figure(
	measurement: Measurement,
	runner: RunnerId,
	name: keyof Cost,
	unit: number,
	digits: number,
): string {
	const spread = costOf(measurement, runner, name);
	return spread ? withSpread(scaled(spread, unit), digits) : '–';
}

function runnerRow(measurement: Measurement, runner: RunnerId): string[] {
	const { items } = measurement.scenario;
	const delivered = samplesOf(measurement, runner).map((sample) => sample.delivered);
	const lost = delivered.map(({ once, moreThanOnce }) => items - once - moreThanOnce);
	const ratio = ratioOf(measurement, 'milliseconds', runner, 'node');
	return [
		RUNNER_NAMES[runner],
		figure(measurement, runner, 'milliseconds', items, 2),
		ratio && runner !== 'node' ? withSpread(ratio, 2) : '',
		figure(measurement, runner, 'freezeMilliseconds', 1, 0),
		figure(measurement, runner, 'busyMilliseconds', 1, 0),
		figure(measurement, runner, 'peakHeapBytes', MEGABYTE, 0),
		figure(measurement, runner, 'peakRssBytes', MEGABYTE, 0),
		`${Math.min(...delivered.map(({ once }) => once))}`,
		`${Math.max(...delivered.map(({ moreThanOnce }) => moreThanOnce))}`,
		`${Math.max(...lost)}`,
		`${Math.max(...delivered.map(({ peakInFlight }) => peakInFlight))}`,
	];
}

/** The figures of all runners: medians, with the least and the greatest round behind them. */
export const measurementTable = (measurement: Measurement): string =>
	table(
		COLUMNS,
		measurement.scenario.runners.map((runner) => runnerRow(measurement, runner)),
	);
