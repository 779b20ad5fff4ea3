/** The middle of some rounds, and how far they lie apart; all NaN where nothing was measured. */
export interface Spread {
	median: number;
	min: number;
	max: number;
}

/** One number of a run; NaN where the run has none. */
export type Figure<Sample> = (sample: Sample) => number;

export function spreadOf(values: readonly number[]): Spread {
	const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
	const at = (index: number): number => sorted[Math.floor(index)] ?? NaN;
	const half = (sorted.length - 1) / 2;
	return { median: (at(half) + at(half + 0.5)) / 2, min: at(0), max: at(sorted.length - 1) };
}

export const medianOf = (values: readonly number[]): number => spreadOf(values).median;

/**
 * How many times as much was measured as with something else, in the rounds that have both: the ratio of the medians, with
 * the least and the greatest ratio of the single rounds.
 */
export function ratioOf<Sample>(
	over: readonly Sample[],
	under: readonly Sample[],
	figure: Figure<Sample>,
): Spread {
	const bases = under.map(figure);
	const pairs = over
		.map((sample, round) => ({ above: figure(sample), below: bases[round] ?? NaN }))
		.filter(({ above, below }) => !Number.isNaN(above / below));
	const { min, max } = spreadOf(pairs.map(({ above, below }) => above / below));
	const above = medianOf(pairs.map((pair) => pair.above));
	return { median: above / medianOf(pairs.map(({ below }) => below)), min, max };
}

export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** A number with its thousands apart, if it is small with two decimals; a dash for NaN. */
export function show(value: number): string {
	const digits = Math.abs(value) < 100 && !Number.isInteger(value) ? 2 : 0;
	const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
	return Number.isNaN(value) ? '–' : value.toLocaleString('en', format);
}

/** The median, and in brackets the least and the greatest, unless these two read the same. */
export function showSpread({ median, min, max }: Spread): string {
	const [least, most] = [show(min), show(max)];
	return least === most ? show(median) : `${show(median)} (${least}–${most})`;
}
