import type { N8nClient } from '../rest';
import type { SavedCredential } from '../restTypes';
import type { Service } from './service';

/** The one n8n and the one service that all runners of a benchmark share. */
export interface Rig {
	client: N8nClient;
	service: Service;
	credential: SavedCredential;
	userFolder: string;
	/** Waits until n8n has caught up: after a long freeze it takes its database for lost. */
	untilReady: () => Promise<void>;
	say: (line: string) => void;
}

/** The samples of each runner by round, in the order of the runners. */
export type Rounds<Runner, Sample> = ReadonlyMap<Runner, Sample[]>;

/** The samples of a runner; none of one that was not measured. */
export const of = <Runner, Sample>(rounds: Rounds<Runner, Sample>, runner: Runner): Sample[] =>
	rounds.get(runner) ?? [];

/** The stock declarative node, which stands still for long, has fewer rounds: always the first ones. */
export const isDue = (runner: unknown, round: number, slowRounds: number): boolean =>
	runner !== 'declarative' || round < slowRounds;

/**
 * Runs the runners in turn in each round, so that a slow moment of the machine does not hit only one of them. Each
 * round begins with the next runner.
 *
 * @param rounds how many of all runners, and how many of the stock declarative node
 * @param brief what to say of a sample when its round is over
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
		const due = runners.filter((runner) => isDue(runner, round, slowRounds));
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
