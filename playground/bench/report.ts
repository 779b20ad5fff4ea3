import { say } from '../say';
import { count, ratioOf, show, spreadOf, sum, type Figure, type Spread } from './figures';

/** What is promised, what was measured, and whether that keeps the promise. */
export interface Target {
	promise: string;
	measured: string;
	isMet: boolean;
}

/** What was promised beside what came out, and all figures as Markdown. */
export interface Report {
	/** The marks of the page: `<!-- measured: start -->`; absent if the report is not shown there. */
	part?: string;
	targets: readonly Target[];
	figures: string;
	/** Whether something was measured that must never be. */
	isWrong?: boolean;
}

/** The title of a column, and a cell by the samples of a runner and those of the first one. */
export type Column<Sample> = readonly [
	title: string,
	cell: (samples: readonly Sample[], ofFirst: readonly Sample[]) => string,
];

/** A column of medians. */
export const middle = <Sample>(
	title: string,
	figure: Figure<Sample>,
	digits: number,
): Column<Sample> => [title, (samples) => show(spreadOf(samples.map(figure)), digits)];

/** A column of one value for all rounds. */
export const whole = <Sample>(
	title: string,
	figure: Figure<Sample>,
	join: 'min' | 'max' | 'sum',
): Column<Sample> => [
	title,
	(samples) => {
		const values = samples.map(figure);
		return count(join === 'sum' ? sum(values) : Math[join](...values));
	},
];

/** A column of how many times as much it is as with the first runner. */
export const times = <Sample>(title: string, figure: Figure<Sample>): Column<Sample> => [
	title,
	(samples, first) => (samples === first ? '' : show(ratioOf(samples, first, figure), 2)),
];

export const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** What a promise asks of the middle, or of the greatest. */
export const atLeast =
	(least: number) =>
	({ median }: Spread): boolean =>
		median >= least;
export const atMost =
	(most: number) =>
	({ median }: Spread): boolean =>
		median <= most;
export const neverAbove =
	(most: number) =>
	({ max }: Spread): boolean =>
		max <= most;

/** A promise about a ratio or a figure, at each of these sizes; not met where one was not measured. */
export function spreadTarget(
	promise: string,
	measured: readonly (readonly [size: string, spread: Spread | undefined])[],
	isMet: (spread: Spread) => boolean,
	digits = 2,
	unit = '',
): Target {
	return {
		promise,
		measured: measured
			.map(([size, spread]) => `${size && `${size}: `}${show(spread, digits)}${unit}`)
			.join('<br>'),
		isMet: measured.length > 0 && measured.every(([, spread]) => spread && isMet(spread)),
	};
}

/** A table of the report: a row for each runner, which all do the same. */
interface Table<Runner, Sample> {
	title: string;
	rounds: number;
	runners: readonly Runner[];
	nameOf: (runner: Runner) => string;
	columns: readonly Column<Sample>[];
	run: (runner: Runner) => Promise<Sample>;
}

/** What a table has measured: the samples of each runner by round, and all of it as Markdown. */
export interface Measured<Runner, Sample> {
	samplesOf: (runner: Runner) => readonly Sample[];
	figures: string;
}

/**
 * Measures a table. The runners take turns in each round, so that a slow moment of the machine does not hit only one of
 * them. Each round begins with the next runner.
 */
export async function measureTable<Runner, Sample>(
	table: Table<Runner, Sample>,
): Promise<Measured<Runner, Sample>> {
	const { rounds, runners, columns, run } = table;
	const title = `${table.title}: ${rounds === 1 ? '1 round' : `${rounds} rounds`}`;
	const samples = new Map(runners.map((runner): [Runner, Sample[]] => [runner, []]));
	for (let round = 0; round < rounds; round++) {
		const first = round % runners.length;
		for (const runner of [...runners.slice(first), ...runners.slice(0, first)]) {
			samples.get(runner)?.push(await run(runner));
		}
		say(`${title}, round ${round + 1}`);
	}
	const all = [...samples];
	const [[, ofFirst] = [, []]] = all;
	const lines = [
		`### ${title}\n`,
		row(['Runner', ...columns.map(([name]) => name)]),
		row(['---', ...columns.map(() => '---:')]),
		...all.map(([runner, ofRunner]) =>
			row([table.nameOf(runner), ...columns.map(([, cell]) => cell(ofRunner, ofFirst))]),
		),
	];
	return { samplesOf: (runner) => samples.get(runner) ?? [], figures: lines.join('\n') };
}
