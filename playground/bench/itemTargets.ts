import { count, ratioOf, spreadOf, type Figure, type Spread } from './figures';
import type { Cost } from './nodes/probe';
import { spreadTarget, type Target } from './report';
import { of } from './rounds';
import { LISTED_NUMBERS, type RunnerId } from './runners';
import type { Rounds } from './rounds';
import type { Outcome } from './service';

/** The same list of calls for several runners, in turn, for some rounds. */
export interface Scenario {
	id: 'sweep' | 'latency' | 'listed' | 'limited' | 'against';
	title: string;
	items: number;
	rounds: number;
	runners: readonly RunnerId[];
	latencyMs?: number;
	requestsPerSecond?: number;
}

export interface Sample extends Outcome {
	items: number;
	/** Absent if the run failed as a whole. */
	cost?: Cost;
	peakInFlight: number;
}

export interface Measurement extends Scenario {
	samples: Rounds<RunnerId, Sample>;
}

export const cost =
	(name: keyof Cost, unit = 1): Figure<Sample> =>
	(sample) =>
		(sample.cost?.[name] ?? NaN) / unit;
export const perItem: Figure<Sample> = (sample) => cost('milliseconds')(sample) / sample.items;
export const freeze = cost('freezeMilliseconds');
export const heap = cost('peakHeapBytes', 1e6);

/** The promises that these measurements can decide. */
export function targetsOf(all: readonly Measurement[]): Target[] {
	const withId = (id: Measurement['id']) => all.filter((one) => one.id === id);
	const ratio = (
		promise: string,
		among: readonly Measurement[],
		[over, under]: readonly [RunnerId, RunnerId],
		isMet: (spread: Spread) => boolean,
		figure = perItem,
	): Target => {
		const ratios = among.map(
			({ items, samples }) =>
				[count(items), ratioOf(of(samples, over), of(samples, under), figure)] as const,
		);
		return spreadTarget(promise, ratios, 2, isMet);
	};
	const freezes = (promise: string, among: readonly Measurement[], runner: RunnerId): Target => {
		const spreads = among.map(
			({ items, samples }) => [count(items), spreadOf(of(samples, runner).map(freeze))] as const,
		);
		return spreadTarget(`${promise}, at most 100 ms`, spreads, 0, ({ max }) => max <= 100, ' ms');
	};
	const atLeast = (least: number) => (spread: Spread) => spread.median >= least;
	const atMost = (most: number) => (spread: Spread) => spread.median <= most;
	const sizes = withId('sweep');
	const slow = withId('latency');
	return [
		ratio(
			'At least 1.5 times as fast as HTTP Request',
			sizes,
			['httpRequest', 'node'],
			atLeast(1.5),
		),
		ratio(
			'At least 2 times as fast as the stock declarative node',
			sizes,
			['declarative', 'node'],
			atLeast(2),
		),
		ratio('At most 1.25 times the time of the floor', sizes, ['node', 'floor'], atMost(1.25)),
		freezes('Longest freeze of n8n, at any number of items', sizes, 'node'),
		ratio(
			"Longest freeze below HTTP Request's (ratio below 1)",
			sizes,
			['node', 'httpRequest'],
			({ median }) => median < 1,
			freeze,
		),
		ratio(
			'100 ms latency: not slower than HTTP Request (at least 1)',
			slow,
			['httpRequest', 'node'],
			atLeast(1),
		),
		...slow.map(inFlightTarget),
		...withId('limited').flatMap(limitTargets),
		ratio(
			"Peak memory not more than HTTP Request's (at most 1)",
			sizes.slice(-1),
			['node', 'httpRequest'],
			atMost(1),
			heap,
		),
		growthTarget(sizes.slice(-2)),
		freezes(
			`Longest freeze with ${count(LISTED_NUMBERS)} numbers not to contact`,
			withId('listed'),
			'nodeWithList',
		),
	];
}

function inFlightTarget({ samples }: Measurement): Target {
	const peak = Math.max(...of(samples, 'node').map(({ peakInFlight }) => peakInFlight));
	const promise = 'The same: at most 50 requests in flight';
	return { promise, measured: `${peak}`, isMet: peak <= 50 };
}

function limitTargets({ items, requestsPerSecond = 1, samples }: Measurement): Target[] {
	const own = of(samples, 'node');
	const once = Math.min(...own.map((sample) => sample.once));
	const twice = Math.max(...own.map(({ moreThanOnce }) => moreThanOnce));
	const time = spreadOf(own.map((sample) => (perItem(sample) * requestsPerSecond) / 1000));
	return [
		{
			promise: `A service that allows ${requestsPerSecond} requests a second: everything delivered once`,
			measured: `${count(items)} items: ${count(once)} once, ${twice} twice, ${items - once - twice} lost`,
			isMet: once === items && twice === 0,
		},
		spreadTarget(
			'The same: time over the ideal time, at most 1.2',
			[[count(items), time]],
			2,
			({ median }) => median <= 1.2,
		),
	];
}

function growthTarget(two: readonly Measurement[]): Target {
	const items = two.map((one) => one.items);
	const heaps = two.map(({ samples }) => spreadOf(of(samples, 'node').map(heap))?.median ?? NaN);
	const [growth = NaN, ratio = NaN] = [items, heaps].map(
		([small = NaN, large = NaN]) => large / small,
	);
	return {
		promise: 'Memory grows no faster than the number of items',
		measured: `${growth.toFixed(0)} times the items (${items.map(count).join(' to ')}): ${ratio.toFixed(1)} times the memory`,
		isMet: ratio <= growth,
	};
}
