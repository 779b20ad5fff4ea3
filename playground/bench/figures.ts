import type { Measurement } from './measure';
import type { Cost } from './nodes/probe';
import { samplesOf } from './rounds';
import type { RunnerId } from './runners';
import { ratioOfPairs, spreadOf, type Spread } from './statistics';

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
		const [above, below] = [over, under].map(
			(runner) => samples.find((sample) => sample.runner === runner)?.cost?.[figure],
		);
		return above === undefined || below === undefined ? [] : [{ over: above, under: below }];
	});
	return ratioOfPairs(pairs);
}
