import type { N8nClient } from '../rest';
import type { SavedCredential } from '../restTypes';
import { section, type Column } from './report';
import type { Service } from './service';

/** The one n8n and the one service that all runners of a benchmark share. */
export interface Rig {
	client: N8nClient;
	service: Service;
	/** Of its nodes, by their types. */
	credentials: Readonly<Record<string, SavedCredential>>;
	userFolder: string;
	/** Waits until n8n has caught up: after a long freeze it takes its database for lost. */
	untilReady: () => Promise<void>;
	say: (line: string) => void;
}

/** The samples of each runner by round, in the order of the runners. */
export type Rounds<Runner, Sample> = ReadonlyMap<Runner, Sample[]>;

/** A table of the report: a row for each runner, which all do the same. */
export interface Table<Runner, Sample> {
	title: string;
	/** How many of all runners, and how many of the stock declarative node, which stands still for long: always the first. */
	rounds: readonly [all: number, slow: number];
	runners: readonly Runner[];
	nameOf: (runner: Runner) => string;
	columns: readonly Column<Sample>[];
	/** With whom the columns compare; the first one unless said otherwise. */
	compared?: Runner;
	run: (runner: Runner) => Promise<Sample>;
	/** What to say of a sample when its round is over. */
	brief: (sample: Sample, runner: Runner) => string;
}

/** The samples of a runner; none of one that was not measured. */
export const of = <Runner, Sample>(rounds: Rounds<Runner, Sample>, runner: Runner): Sample[] =>
	rounds.get(runner) ?? [];

/**
 * Runs the runners in turn in each round, so that a slow moment of the machine does not hit only one of them. Each
 * round begins with the next runner.
 */
export async function inRounds<Runner, Sample>(
	[rounds, slowRounds]: readonly [all: number, slow: number],
	runners: readonly Runner[],
	run: (runner: Runner) => Promise<Sample>,
	say: (line: string) => void,
	brief: (sample: Sample, runner: Runner) => string,
): Promise<Rounds<Runner, Sample>> {
	const all = new Map(runners.map((runner): [Runner, Sample[]] => [runner, []]));
	for (let round = 0; round < rounds; round++) {
		const due = runners.filter((runner) => runner !== 'declarative' || round < slowRounds);
		const first = round % due.length;
		const lines: string[] = [];
		for (const runner of [...due.slice(first), ...due.slice(0, first)]) {
			const sample = await run(runner);
			all.get(runner)?.push(sample);
			lines.push(brief(sample, runner));
		}
		say(`round ${round + 1}: ${lines.join(' · ')}`);
	}
	return all;
}

/** Measures a table; gives the samples for its targets, and the table as Markdown. */
export async function measureTable<Runner, Sample>(
	{ title, rounds, runners, nameOf, columns, compared, run, brief }: Table<Runner, Sample>,
	say: (line: string) => void,
): Promise<{ samples: Rounds<Runner, Sample>; figures: string }> {
	const tell = (line: string) => {
		say(`${title}, ${line}`);
	};
	const samples = await inRounds(rounds, runners, run, tell, brief);
	const rows = runners.map((runner) => [nameOf(runner), of(samples, runner)] as const);
	const other = compared === undefined ? undefined : of(samples, compared);
	return { samples, figures: section(title, columns, rows, other) };
}
