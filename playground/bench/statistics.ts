/** The middle of some rounds, and how far they lie apart. */
export interface Spread {
	median: number;
	min: number;
	max: number;
}

/** Two figures of one round. */
export interface Pair {
	over: number;
	under: number;
}

export function spreadOf(values: readonly number[]): Spread | undefined {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (index: number): number => sorted[Math.floor(index)] ?? NaN;
	if (sorted.length === 0) return undefined;
	const half = (sorted.length - 1) / 2;
	return {
		median: (at(half) + at(half + 0.5)) / 2,
		min: at(0),
		max: at(sorted.length - 1),
	};
}

/** The value that this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

/** The ratio of the medians, with the least and the greatest ratio of the single rounds. */
export function ratioOfPairs(pairs: readonly Pair[]): Spread | undefined {
	const inRounds = spreadOf(pairs.map(({ over, under }) => over / under));
	const above = spreadOf(pairs.map(({ over }) => over));
	const below = spreadOf(pairs.map(({ under }) => under));
	if (!inRounds || !above || !below) return undefined;
	return { ...inRounds, median: above.median / below.median };
}

/** In another unit. */
export const scaled = ({ median, min, max }: Spread, unit: number): Spread => ({
	median: median / unit,
	min: min / unit,
	max: max / unit,
});

/** The median, and in brackets the least and the greatest, unless all three read the same. */
export function withSpread({ median, min, max }: Spread, digits: number): string {
	const middle = median.toFixed(digits);
	const [least, most] = [min.toFixed(digits), max.toFixed(digits)];
	return least === most ? middle : `${middle} (${least}–${most})`;
}
