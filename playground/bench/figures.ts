/** The middle of some rounds, and how far they lie apart. */
export interface Spread {
	median: number;
	min: number;
	max: number;
}

/** One number of a run of a runner; NaN where the run has none. */
export type Figure<Sample> = (sample: Sample) => number;

/** @returns nothing where no value is a number */
export function spreadOf(values: readonly number[]): Spread | undefined {
	const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
	const at = (index: number): number => sorted[Math.floor(index)] ?? NaN;
	const half = (sorted.length - 1) / 2;
	if (sorted.length === 0) return undefined;
	return { median: (at(half) + at(half + 0.5)) / 2, min: at(0), max: at(sorted.length - 1) };
}

export const medianOf = (values: readonly number[]): number => spreadOf(values)?.median ?? NaN;

/**
 * How many times as much one runner took as another in the rounds that both have: the ratio of the medians, with the least
 * and the greatest ratio of the single rounds.
 *
 * @param over the samples of the one by round
 * @param under those of the other
 */
export function ratioOf<Sample>(
	over: readonly Sample[],
	under: readonly Sample[],
	figure: Figure<Sample>,
): Spread | undefined {
	const pairs = over.flatMap((sample, round) => {
		const [above, other] = [figure(sample), under[round]];
		const below = other === undefined ? NaN : figure(other);
		return Number.isNaN(above / below) ? [] : [{ above, below }];
	});
	const spread = spreadOf(pairs.map(({ above, below }) => above / below));
	return (
		spread && {
			...spread,
			median: medianOf(pairs.map(({ above }) => above)) / medianOf(pairs.map(({ below }) => below)),
		}
	);
}

/** The median, and in brackets the least and the greatest, unless all three read the same; a dash for nothing. */
export function show(spread: Spread | undefined, digits: number): string {
	if (!spread) return '–';
	const [least, most] = [spread.min.toFixed(digits), spread.max.toFixed(digits)];
	const median = spread.median.toFixed(digits);
	return least === most ? median : `${median} (${least}–${most})`;
}

export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** A number with its thousands apart. */
export const count = (value: number): string => value.toLocaleString('en');
