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

/** The title of a column, and a cell by the samples of a runner and those of the one that it is compared with. */
export type Column<Sample> = readonly [
	title: string,
	cell: (samples: readonly Sample[], compared: readonly Sample[]) => string,
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

/** A column of how many times as much it is as with the runner that is compared with. */
export const times = <Sample>(title: string, figure: Figure<Sample>): Column<Sample> => [
	title,
	(samples, other) => (samples === other ? '' : show(ratioOf(samples, other, figure), 2)),
];

export const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A row of a table: the samples of a runner, and those of the one that it is compared with. */
interface Row<Sample> {
	name: string;
	samples: readonly Sample[];
	compared: readonly Sample[];
}

/** A heading, and a row for each runner. */
export const section = <Sample>(
	title: string,
	columns: readonly Column<Sample>[],
	rows: readonly Row<Sample>[],
): string =>
	[
		`### ${title}\n`,
		row(['Runner', ...columns.map(([column]) => column)]),
		row(['---', ...columns.map(() => '---:')]),
		...rows.map(({ name, samples, compared }) =>
			row([name, ...columns.map(([, cell]) => cell(samples, compared))]),
		),
	].join('\n');

/** A promise about a ratio or a figure, at each of these sizes; not met where one was not measured. */
export function spreadTarget(
	promise: string,
	measured: readonly (readonly [size: string, spread: Spread | undefined])[],
	digits: number,
	isMet: (spread: Spread) => boolean,
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
