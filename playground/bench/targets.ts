import { costOf, ratioOf } from './figures';
import { count, type Target } from './markdown';
import type { Measurement } from './measure';
import type { Cost } from './nodes/probe';
import { samplesOf } from './rounds';
import { LISTED_NUMBERS, type RunnerId } from './runners';
import { spreadOf, withSpread } from './statistics';

const MAX_FREEZE_MS = 100;

/** A promise about a ratio, at each of these sizes. */
function ratioTarget(
	promise: string,
	measurements: readonly Measurement[],
	[over, under]: readonly [RunnerId, RunnerId],
	isMet: (ratio: number) => boolean,
	figure: keyof Cost = 'milliseconds',
): Target {
	const ratios = measurements.flatMap((measurement) => {
		const ratio = ratioOf(measurement, figure, over, under);
		return ratio ? [{ ratio, items: measurement.scenario.items }] : [];
	});
	return {
		promise,
		measured: ratios
			.map(({ ratio, items }) => `${count(items)}: ${withSpread(ratio, 2)}`)
			.join('<br>'),
		isMet: ratios.length > 0 && ratios.every(({ ratio }) => isMet(ratio.median)),
	};
}

function freezeTarget(
	promise: string,
	measurements: readonly Measurement[],
	runner: RunnerId = 'node',
): Target {
	const freezes = measurements.flatMap((measurement) => {
		const freeze = costOf(measurement, runner, 'freezeMilliseconds');
		return freeze ? [{ freeze, items: measurement.scenario.items }] : [];
	});
	return {
		promise: `${promise}, at most ${MAX_FREEZE_MS} ms`,
		measured: freezes
			.map(({ freeze, items }) => `${count(items)}: ${withSpread(freeze, 0)} ms`)
			.join('<br>'),
		isMet: freezes.length > 0 && freezes.every(({ freeze }) => freeze.max <= MAX_FREEZE_MS),
	};
}

function limitTargets(measurement: Measurement): Target[] {
	const { items, requestsPerSecond } = measurement.scenario;
	const samples = samplesOf(measurement, 'node');
	const ideal = (items / (requestsPerSecond ?? 1)) * 1000;
	const time = spreadOf(samples.flatMap(({ cost }) => (cost ? cost.milliseconds / ideal : [])));
	const once = Math.min(...samples.map(({ delivered }) => delivered.once));
	const twice = Math.max(...samples.map(({ delivered }) => delivered.moreThanOnce));
	return [
		{
			promise: `A service that allows ${requestsPerSecond ?? 0} requests a second: everything delivered once`,
			measured: `${count(items)} items: ${count(once)} once, ${twice} twice, ${items - once - twice} lost`,
			isMet: once === items && twice === 0,
		},
		{
			promise: 'The same: time over the ideal time, at most 1.2',
			measured: time ? `${count(items)}: ${withSpread(time, 2)}` : '–',
			isMet: time !== undefined && time.median <= 1.2,
		},
	];
}

function inFlightTarget(measurement: Measurement): Target {
	const peaks = samplesOf(measurement, 'node').map(({ delivered }) => delivered.peakInFlight);
	return {
		promise: 'The same: at most 50 requests in flight',
		measured: `${Math.max(...peaks)}`,
		isMet: Math.max(...peaks) <= 50,
	};
}

function growthTarget(small: Measurement, large: Measurement): Target {
	const growth = large.scenario.items / small.scenario.items;
	const heap = (measurement: Measurement): number =>
		costOf(measurement, 'node', 'peakHeapBytes')?.median ?? NaN;
	const ratio = heap(large) / heap(small);
	return {
		promise: 'Memory grows no faster than the number of items',
		measured: `${growth.toFixed(0)} times the items (${count(small.scenario.items)} to ${count(large.scenario.items)}): ${ratio.toFixed(1)} times the memory`,
		isMet: ratio <= growth,
	};
}

/** The promises that these measurements can decide. */
export function targetsOf(measurements: readonly Measurement[]): Target[] {
	const sizes = measurements.filter(({ scenario }) => scenario.id.startsWith('noLatency-'));
	const slow = measurements.filter(({ scenario }) => scenario.id === 'latency-3');
	const limited = measurements.filter(({ scenario }) => scenario.id === 'limited');
	const listed = measurements.filter(({ scenario }) => scenario.id === 'listed');
	const largest = sizes.slice(-1);
	const [second, first] = sizes.slice(-2).reverse();
	const atLeast = (least: number) => (ratio: number) => ratio >= least;
	const atMost = (most: number) => (ratio: number) => ratio <= most;
	return [
		ratioTarget(
			'At least 1.5 times as fast as HTTP Request',
			sizes,
			['httpRequest', 'node'],
			atLeast(1.5),
		),
		ratioTarget(
			'At least 2 times as fast as the stock declarative node',
			sizes,
			['declarative', 'node'],
			atLeast(2),
		),
		ratioTarget('At most 1.25 times the time of the floor', sizes, ['node', 'floor'], atMost(1.25)),
		freezeTarget('Longest freeze of n8n, at any number of items', sizes),
		ratioTarget(
			"Longest freeze below HTTP Request's (ratio below 1)",
			sizes,
			['node', 'httpRequest'],
			(ratio) => ratio < 1,
			'freezeMilliseconds',
		),
		ratioTarget(
			'100 ms latency: not slower than HTTP Request (at least 1)',
			slow,
			['httpRequest', 'node'],
			atLeast(1),
		),
		...slow.map(inFlightTarget),
		...limited.flatMap(limitTargets),
		ratioTarget(
			"Peak memory not more than HTTP Request's (at most 1)",
			largest,
			['node', 'httpRequest'],
			atMost(1),
			'peakHeapBytes',
		),
		...(first && second ? [growthTarget(first, second)] : []),
		freezeTarget(
			`Longest freeze with ${count(LISTED_NUMBERS)} numbers not to contact`,
			listed,
			'nodeWithList',
		),
	];
}
