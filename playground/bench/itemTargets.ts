import { count, ratioOf, spreadOf, type Figure, type Spread } from './figures';
import type { Cost } from './nodes/probe';
import { spreadTarget, type Target } from './report';
import { of, type Rounds } from './rounds';
import { LISTED_NUMBERS, type RunnerId } from './runners';
import type { Outcome } from './service';

/** What is varied: how many items, how slow the service is, who not to contact. */
export type KindName = 'sweep' | 'latency' | 'listed';

export interface Sample extends Outcome {
	items: number;
	/** Absent if the run failed as a whole. */
	cost?: Cost;
	peakInFlight: number;
}

/** What became of a scenario. */
export interface Measurement {
	kind: KindName;
	items: number;
	samples: Rounds<RunnerId, Sample>;
	figures: string;
}

export const cost =
	(name: keyof Cost, unit = 1): Figure<Sample> =>
	(sample) =>
		(sample.cost?.[name] ?? NaN) / unit;
export const perItem: Figure<Sample> = (sample) => cost('milliseconds')(sample) / sample.items;
export const freeze = cost('freezeMilliseconds');
export const heap = cost('peakHeapBytes', 1e6);

const PROMISES = {
	asFastAsHttp: 'At least 1.5 times as fast as HTTP Request',
	neverFrozen: 'Longest freeze of n8n, at any number of items, at most 100 ms',
	lessFrozen: "Longest freeze below HTTP Request's (ratio below 1)",
	notSlower: '100 ms latency: not slower than HTTP Request (at least 1)',
	noMoreMemory: "Peak memory not more than HTTP Request's (at most 1)",
	listed: `Longest freeze with ${count(LISTED_NUMBERS)} numbers not to contact, at most 100 ms`,
};

const below = (most: number) => (spread: Spread) => spread.median <= most;
const from = (least: number) => (spread: Spread) => spread.median >= least;

/** The promises that these measurements can decide. */
export function targetsOf(all: readonly Measurement[]): Target[] {
	const ofKind = (wanted: Measurement['kind']) => all.filter(({ kind }) => kind === wanted);
	const [sizes, slow] = [ofKind('sweep'), ofKind('latency')];
	/** How many times as much the one takes as the other. */
	const ratio = (
		promise: string,
		[over, under]: readonly [RunnerId, RunnerId],
		isMet: (spread: Spread) => boolean,
		figure = perItem,
		among = sizes,
	): Target => {
		const spreads = among.map(({ items, samples }) => {
			const [above, other] = [of(samples, over), of(samples, under)];
			return [count(items), ratioOf(above, other, figure)] as const;
		});
		return spreadTarget(promise, spreads, 2, isMet);
	};
	const freezes = (promise: string, among: readonly Measurement[], runner: RunnerId): Target => {
		const spreads = among.map(
			({ items, samples }) => [count(items), spreadOf(of(samples, runner).map(freeze))] as const,
		);
		return spreadTarget(promise, spreads, 0, ({ max }) => max <= 100, ' ms');
	};
	return [
		ratio(PROMISES.asFastAsHttp, ['httpRequest', 'node'], from(1.5)),
		freezes(PROMISES.neverFrozen, sizes, 'node'),
		ratio(PROMISES.lessFrozen, ['node', 'httpRequest'], ({ median }) => median < 1, freeze),
		ratio(PROMISES.notSlower, ['httpRequest', 'node'], from(1), perItem, slow),
		...slow.map(inFlightTarget),
		ratio(PROMISES.noMoreMemory, ['node', 'httpRequest'], below(1), heap, sizes.slice(-1)),
		growthTarget(sizes.slice(-2)),
		freezes(PROMISES.listed, ofKind('listed'), 'nodeWithList'),
	];
}

function inFlightTarget({ samples }: Measurement): Target {
	const peak = Math.max(...of(samples, 'node').map(({ peakInFlight }) => peakInFlight));
	const promise = 'The same: at most 50 requests in flight';
	return { promise, measured: `${peak}`, isMet: peak <= 50 };
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
