import type { Target } from '../markdown';
import { samplesOf } from '../rounds';
import { ratioOfPairs, spreadOf, withSpread, type Spread } from '../statistics';
import type { AgedMeasurement, AgedSample } from './measure';
import { nameOf, VETERANS, type Veteran } from './scenarios';

const MEGABYTE = 1e6;
const MAX_FREEZE_MS = 100;

/** How many times as long a call may take as with a new node. */
const MAX_RATIOS: readonly (Veteran & { most: number })[] = [
	{ runner: 'node', age: 5000, most: 1.25 },
	{ runner: 'node', age: 50_000, most: 1.7 },
	{ runner: 'nodeNotAgain', age: 50_000, most: 2 },
];

/** With the most marks. */
const OLDEST: Veteran = { runner: 'nodeNotAgain', age: 50_000 };

/** The samples of a phase by round. */
export type Rounds = readonly AgedSample[][];

/** In one round: the time of the call in the middle. */
export const timeOf = ({ milliseconds }: AgedSample): number =>
	spreadOf(milliseconds)?.median ?? NaN;

/** A figure of a runner over the rounds. */
export const figureOf = (
	rounds: Rounds,
	veteran: Veteran,
	of: (sample: AgedSample) => number,
): Spread | undefined => spreadOf(samplesOf({ rounds }, nameOf(veteran)).map(of));

/** How many times as long a runner takes as when it was new. */
export function timesNew(rounds: Rounds, veteran: Veteran): Spread | undefined {
	const timesOf = (one: Veteran): number[] => samplesOf({ rounds }, nameOf(one)).map(timeOf);
	const under = timesOf({ ...veteran, age: 0 });
	return ratioOfPairs(
		timesOf(veteran).map((over, round) => ({ over, under: under[round] ?? NaN })),
	);
}

/** The promises about nodes that have made many calls. */
export function targetsOf({ singles, marks }: AgedMeasurement): Target[] {
	const bytes = marks[nameOf(OLDEST)]?.rows.bytes ?? NaN;
	const freeze = figureOf(singles, OLDEST, ({ cost }) => cost.busyMilliseconds);
	// They have made all of their marks themselves.
	const young = VETERANS.flatMap((one) => {
		const { perCall, perLaterCall } = marks[nameOf(one)] ?? { perCall: NaN, perLaterCall: NaN };
		return one.age === 0 && one.runner !== 'httpRequest'
			? { name: nameOf(one), perCall, perLaterCall }
			: [];
	});
	return [
		...MAX_RATIOS.map(({ most, ...veteran }) => {
			const times = timesNew(singles, veteran);
			return {
				promise: `One call, ${nameOf(veteran)}: at most ${most} times the time with a new node`,
				measured: times ? withSpread(times, 2) : '–',
				isMet: times !== undefined && times.median <= most,
			};
		}),
		{
			promise: "The same: at most 1 MB in n8n's database",
			measured: `${(bytes / MEGABYTE).toFixed(2)} MB`,
			isMet: bytes <= MEGABYTE,
		},
		{
			promise: `The same: longest freeze of n8n by its own work, at most ${MAX_FREEZE_MS} ms`,
			measured: freeze ? `${withSpread(freeze, 0)} ms` : '–',
			isMet: freeze !== undefined && freeze.max <= MAX_FREEZE_MS,
		},
		{
			promise:
				'Marks that a call leaves: in what was measured as many as at first, by which the age is made',
			measured: young
				.map(({ name, perCall, perLaterCall }) => `${name}: ${perCall}, ${perLaterCall.toFixed(2)}`)
				.join('<br>'),
			isMet: young.every(
				({ perCall, perLaterCall }) => Math.abs(perLaterCall - perCall) <= perCall / 100,
			),
		},
	];
}
