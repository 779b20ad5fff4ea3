import type { N8nClient } from '../rest';
import type { SavedCredential } from '../restTypes';
import { say } from '../say';
import { section, type Column } from './report';
import type { Service } from './service';

/** The one n8n and the one service that all runners of a benchmark share. */
export interface Rig {
	client: N8nClient;
	service: Service;
	/** Of its nodes, by their types. */
	credentials: Readonly<Record<string, SavedCredential>>;
	/** Waits until n8n has caught up: after a long freeze it takes its database for lost. */
	untilReady: () => Promise<void>;
}

/** The samples of each runner by round, in the order of the runners. */
export type Rounds<Runner, Sample> = ReadonlyMap<Runner, Sample[]>;

/** A table of the report: a row for each runner, which all do the same. */
export interface Table<Runner, Sample> {
	title: string;
	rounds: number;
	runners: readonly Runner[];
	nameOf: (runner: Runner) => string;
	columns: readonly Column<Sample>[];
	/** What the columns compare a runner with; the first one unless said otherwise. */
	comparedWith?: (runner: Runner) => Runner;
	run: (runner: Runner) => Promise<Sample>;
}

/** The samples of a runner; none of one that was not measured. */
export const of = <Runner, Sample>(rounds: Rounds<Runner, Sample>, runner: Runner): Sample[] =>
	rounds.get(runner) ?? [];

/**
 * Measures a table; gives the samples for its targets, and the table as Markdown. The runners take turns in each round, so
 * that a slow moment of the machine does not hit only one of them. Each round begins with the next runner.
 */
export async function measureTable<Runner, Sample>(
	table: Table<Runner, Sample>,
): Promise<{ samples: Rounds<Runner, Sample>; figures: string }> {
	const { title, rounds, runners, nameOf, columns, comparedWith, run } = table;
	const samples = new Map(runners.map((runner): [Runner, Sample[]] => [runner, []]));
	for (let round = 0; round < rounds; round++) {
		const first = round % runners.length;
		for (const runner of [...runners.slice(first), ...runners.slice(0, first)]) {
			samples.get(runner)?.push(await run(runner));
		}
		say(`${title}, round ${round + 1} of ${rounds}`);
	}
	const [first] = runners;
	const rows = runners.map((runner) => {
		const other = comparedWith?.(runner) ?? first;
		const compared = other === undefined ? [] : of(samples, other);
		return { name: nameOf(runner), samples: of(samples, runner), compared };
	});
	return { samples, figures: section(title, columns, rows) };
}
