import type { N8nClient } from '../rest';
import type { SavedCredential } from '../restTypes';
import type { RunnerId } from './runners';
import type { Service } from './service';

/** The one n8n and the one service that all runners of a benchmark share. */
export interface Rig {
	client: N8nClient;
	service: Service;
	credential: SavedCredential;
	/** Waits until n8n has caught up: after a long freeze it takes its database for lost. */
	untilReady: () => Promise<void>;
	say: (line: string) => void;
}

/**
 * Runs the runners in turn in each round, so that a slow moment of the machine does not hit only one of them. Each
 * round begins with the next runner.
 *
 * @param runnersOf the runners of a round, in their order; rounds count from 0
 * @param tell is given the samples of a round when it is over
 * @returns the samples by round
 */
export async function inRounds<Runner, Sample>(
	rounds: number,
	runnersOf: (round: number) => readonly Runner[],
	run: (runner: Runner) => Promise<Sample>,
	tell: (round: number, samples: readonly Sample[]) => void,
): Promise<Sample[][]> {
	const all: Sample[][] = [];
	for (let round = 0; round < rounds; round++) {
		const samples: Sample[] = [];
		const runners = runnersOf(round);
		const first = round % runners.length;
		for (const runner of [...runners.slice(first), ...runners.slice(0, first)]) {
			samples.push(await run(runner));
		}
		all.push(samples);
		tell(round, samples);
	}
	return all;
}

/** Says what came of a round. */
export const sayOf =
	<Sample>(
		say: (line: string) => void,
		title: string,
		brief: (sample: Sample) => string,
	): ((round: number, samples: readonly Sample[]) => void) =>
	(round, samples) => {
		say(`${title}, round ${round + 1}: ${samples.map(brief).join(' · ')}`);
	};

/** The samples of a runner in all rounds. */
export const samplesOf = <Sample extends { runner: string }>(
	{ rounds }: { readonly rounds: readonly Sample[][] },
	runner: Sample['runner'],
): Sample[] => rounds.flatMap((samples) => samples.filter((sample) => sample.runner === runner));

/** The runners of a round: the stock declarative node, which stands still for long, has fewer rounds. */
export const runnersDue =
	({ runners, slowRounds }: { runners: readonly RunnerId[]; slowRounds: number }) =>
	(round: number): readonly RunnerId[] =>
		runners.filter((runner) => runner !== 'declarative' || round < slowRounds);
