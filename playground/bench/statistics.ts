import type { Measurement, Sample } from './measure';
import type { Cost } from './nodes/probe';
import type { RunnerId } from './runners';

/** The middle of some rounds, and how far they lie apart. */
export interface Spread {
	median: number;
	min: number;
	max: number;
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

export const samplesOf = ({ rounds }: Measurement, runner: RunnerId): Sample[] =>
	rounds.flatMap((samples) => samples.filter((sample) => sample.runner === runner));

/** One figure of a runner over the rounds; `undefined` if it never came to an end. */
export const costOf = (
	measurement: Measurement,
	runner: RunnerId,
	figure: keyof Cost,
): Spread | undefined =>
	spreadOf(samplesOf(measurement, runner).flatMap(({ cost }) => cost?.[figure] ?? []));

/** How many times as much one runner took as another: in the middle, and in the single rounds. */
export function ratioOf(
	measurement: Measurement,
	figure: keyof Cost,
	over: RunnerId,
	under: RunnerId,
): Spread | undefined {
	const pairs = measurement.rounds.flatMap((samples) => {
		const [a, b] = [over, under].map(
			(runner) => samples.find((sample) => sample.runner === runner)?.cost?.[figure],
		);
		return a === undefined || b === undefined ? [] : [{ a, b }];
	});
	const inRounds = spreadOf(pairs.map(({ a, b }) => a / b));
	const above = spreadOf(pairs.map(({ a }) => a));
	const below = spreadOf(pairs.map(({ b }) => b));
	if (!inRounds || !above || !below) return undefined;
	return { ...inRounds, median: above.median / below.median };
}
