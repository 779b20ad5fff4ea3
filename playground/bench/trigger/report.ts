import { count, table, targetTable, type Target } from '../markdown';
import { measuredOn, type Report } from '../page';
import { samplesOf } from '../rounds';
import { percentile, ratioOfPairs, spreadOf, withSpread, type Spread } from '../statistics';
import type { Part } from './cells';
import type { Counts, Measurement, Sample } from './measure';
import { RUNNER_NAMES, type RunnerId } from './runners';

/** What was measured in one n8n. */
export interface MeasuredPart {
	part: Part;
	measurements: Measurement[];
	repeats?: Sample;
}

const MIN_RATIO = 0.95;

const COLUMNS = [
	'Runner',
	'deliveries per second',
	'× Webhook',
	'half answered within, ms',
	'99 % within, ms',
	'processor, ms per delivery',
	'executed once',
	'twice',
	'lost',
];

/** How many times as many deliveries a second one runner takes as the Webhook node in the same rounds. */
function ratioToWebhook(measurement: Measurement, runner: RunnerId): Spread | undefined {
	const [over, under] = [runner, 'webhook' as const].map((each) =>
		samplesOf(measurement, each).map(({ deliveriesPerSecond }) => deliveriesPerSecond),
	);
	return ratioOfPairs(
		(over ?? []).map((rate, round) => ({ over: rate, under: under?.[round] ?? NaN })),
	);
}

const sumOf = (samples: readonly Sample[], name: keyof Counts): number =>
	samples.reduce((sum, { counts }) => sum + counts[name], 0);

function runnerRow(measurement: Measurement, runner: RunnerId): string[] {
	const samples = samplesOf(measurement, runner);
	const figure = (read: (sample: Sample) => number, digits: number): string => {
		const spread = spreadOf(samples.map(read));
		return spread ? withSpread(spread, digits) : '–';
	};
	const ratio = runner === 'webhook' ? undefined : ratioToWebhook(measurement, runner);
	return [
		RUNNER_NAMES[runner],
		figure(({ deliveriesPerSecond }) => deliveriesPerSecond, 1),
		ratio ? withSpread(ratio, 2) : '',
		figure(({ milliseconds }) => percentile(milliseconds, 0.5), 0),
		percentile(
			samples.flatMap(({ milliseconds }) => milliseconds),
			0.99,
		).toFixed(0),
		figure(({ cost, counts }) => cost.cpuMilliseconds / counts.deliveries, 1),
		count(sumOf(samples, 'executedOnce')),
		count(sumOf(samples, 'executedTwice')),
		count(sumOf(samples, 'lost')),
	];
}

function ratioTarget({ part, measurements }: MeasuredPart): Target {
	const ratios = measurements.flatMap((measurement) => {
		const ratio = ratioToWebhook(measurement, 'trigger');
		return ratio ? [{ ratio, title: measurement.cell.title }] : [];
	});
	return {
		promise: `${part.title}: at least ${MIN_RATIO} times the deliveries of Webhook per second`,
		measured: ratios.map(({ ratio, title }) => `${title}: ${withSpread(ratio, 2)}`).join('<br>'),
		isMet: ratios.every(({ ratio }) => ratio.median >= MIN_RATIO),
	};
}

/** How many events were executed how often. */
function executed(samples: readonly Sample[]): { text: string; isExact: boolean } {
	const sum = (name: keyof Counts): number => sumOf(samples, name);
	return {
		text: `${count(sum('events'))} events: ${count(sum('executedOnce'))} executed once, ${count(sum('executedTwice'))} twice, ${count(sum('lost'))} lost`,
		isExact: sum('executedOnce') === sum('events') && sum('refused') === 0,
	};
}

function onceTarget(parts: readonly MeasuredPart[]): Target {
	const { text, isExact } = executed(
		parts.flatMap(({ measurements }) =>
			measurements.flatMap((measurement) => samplesOf(measurement, 'trigger')),
		),
	);
	return { promise: 'In all of these: none lost, none doubled', measured: text, isMet: isExact };
}

function repeatsTarget(sample: Sample): Target {
	const { deliveries, events, answeredAsRepeat } = sample.counts;
	const repeats = deliveries - events;
	const { text, isExact } = executed([sample]);
	return {
		promise: `${count(deliveries)} deliveries, ${count(repeats)} of them repeats: one execution for each event`,
		measured: `${text}; ${count(answeredAsRepeat)} answered as repeats`,
		isMet: isExact && answeredAsRepeat === repeats,
	};
}

/** What must hold in every run, however fast or slow it was. */
export function exactnessTargets(parts: readonly MeasuredPart[]): Target[] {
	const repeats = parts.flatMap((part) => (part.repeats ? [repeatsTarget(part.repeats)] : []));
	return [onceTarget(parts), ...repeats];
}

const heading = ({ title }: Part, { cell, rounds }: Measurement): string =>
	`### ${title}: ${cell.title}, ${rounds.length} rounds of ${cell.deliveries} events`;

/** Everything that was measured, as Markdown. */
export function report(parts: readonly MeasuredPart[]): Report {
	const targets = [
		measuredOn(),
		targetTable([...parts.map(ratioTarget), ...exactnessTargets(parts)]),
	];
	const figures = parts.flatMap(({ part, measurements }) =>
		measurements.flatMap((measurement) => [
			heading(part, measurement),
			table(
				COLUMNS,
				part.runners.map((runner) => runnerRow(measurement, runner)),
			),
		]),
	);
	return { targets: targets.join('\n\n'), figures: figures.join('\n\n') };
}
