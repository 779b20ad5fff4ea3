import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { version } from '../../package.json';
import { say } from '../say';
import { ratioOf, show, showSpread, spreadOf, sum, type Figure, type Spread } from './figures';
import type { Outcome } from './workflows';

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

const PAGE = path.join(__dirname, '..', '..', 'docs', 'contributing', 'performance.md');

/** What the page shows: ratios beside these nodes of n8n, which say most on another machine. The terminal shows all. */
const OTHER_NODES = /HTTP Request|Webhook/;

/** A table in Markdown. */
export function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): string {
	const lines = [titles, titles.map(() => '---'), ...rows];
	return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A promise about a ratio or a figure, at each of these sizes; not met where one was not measured. */
export function spreadTarget(
	promise: string,
	measured: readonly (readonly [size: string, spread: Spread])[],
	isMet: (spread: Spread) => boolean,
): Target {
	const texts = measured.map(([size, spread]) => `${size && `${size}: `}${showSpread(spread)}`);
	const areMet = measured.length > 0 && measured.every(([, spread]) => isMet(spread));
	return { promise, measured: texts.join('<br>'), isMet: areMet };
}

/** The promise that in all rounds each was reached, or each event executed, once. */
export function exactTarget(promise: string, samples: readonly Outcome[]): Target {
	const total = (name: keyof Outcome) => sum(samples.map((sample) => sample[name]));
	const [once, twice, lost] = [total('once'), total('moreThanOnce'), total('lost')];
	const measured = `${show(once)} once, ${show(twice)} twice, ${show(lost)} lost`;
	return { promise, measured, isMet: once > 0 && twice + lost === 0 };
}

function targetsText(targets: readonly Target[]): string {
	const processors = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`;
	const rows = targets.map(({ promise, measured, isMet }) => [
		...[promise, measured, isMet ? 'yes' : '**no**'],
	]);
	const day = new Date().toISOString().slice(0, 10);
	return `Measured on ${day} with version ${version} on ${processors}.\n\n${tableOf(['Target', 'Measured', 'Met'], rows)}`;
}

/** The whole report, for the terminal. */
export const reportText = ({ targets, figures }: Report): string =>
	`\n${targetsText(targets)}\n\n${figures}\n`;

/** Puts what is shown between the marks of its part of the page; the formatter leaves it alone. */
export function writeReport({ part, targets }: Report): void {
	if (part === undefined) return;
	const shown = targetsText(targets.filter(({ promise }) => OTHER_NODES.test(promise)));
	const [start, end] = [`<!-- ${part}: start -->`, `<!-- ${part}: end -->`];
	const page = readFileSync(PAGE, 'utf8');
	const [from, to] = [page.indexOf(start), page.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`${PAGE} has no part "${part}"`);
	writeFileSync(PAGE, `${page.slice(0, from)}${start}\n\n${shown}\n\n${page.slice(to)}`);
}

/** A table of a report: a row for each runner, which all do the same. */
interface Table<Runner extends string, Sample> {
	title: string;
	rounds: number;
	/** What each runs, by its name; the others are compared with the first. */
	runners: Readonly<Record<Runner, () => Promise<Sample>>>;
	/** The columns; by the first figure, the runners are compared. */
	figures: Readonly<Record<string, Figure<Sample>>>;
}

/** What a table has measured: the samples of each runner by round, and all of it as Markdown. */
export interface Measured<Runner extends string, Sample> {
	samples: Readonly<Record<Runner, readonly Sample[]>>;
	figures: string;
}

/**
 * Measures a table. The runners take turns in each round, so that a slow moment of the machine does not hit only one of
 * them. Each round begins with the next runner.
 */
export async function measureTable<Runner extends string, Sample>(
	table: Table<Runner, Sample>,
): Promise<Measured<Runner, Sample>> {
	const { rounds, runners } = table;
	const title = `${table.title}: ${rounds === 1 ? '1 round' : `${rounds} rounds`}`;
	const names = Object.keys(runners) as Runner[];
	const entries = names.map((name) => [name, [] as Sample[]] as const);
	const samples = Object.fromEntries(entries) as Record<Runner, Sample[]>;
	for (let round = 0; round < rounds; round++) {
		const first = round % names.length;
		for (const name of [...names.slice(first), ...names.slice(0, first)])
			samples[name].push(await runners[name]());
		say(`${title}, round ${round + 1}`);
	}
	const figures = Object.values(table.figures);
	const [ofFirst = []] = names.map((name) => samples[name]);
	const rows = names.map((name) => [
		name,
		...figures.map((figure) => showSpread(spreadOf(samples[name].map(figure)))),
		...figures.slice(0, 1).map((figure) => showSpread(ratioOf(samples[name], ofFirst, figure))),
	]);
	const titles = ['Runner', ...Object.keys(table.figures), `times ${names[0] ?? ''}`];
	return { samples, figures: `### ${title}\n\n${tableOf(titles, rows)}` };
}
