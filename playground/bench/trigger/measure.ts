import axios from 'axios';
import { eventually } from '../../eventually';
import type { N8nClient } from '../../rest';
import type { Executions } from '../nodes/executions';
import type { Cost } from '../nodes/probe';
import { inRounds, sayOf } from '../rounds';
import type { Cell } from './cells';
import { eventMaker, type Event } from './events';
import { deliverAll, type Answer, type Target } from './load';
import { createRunner, createTally, startNodes, type RunnerId } from './runners';

/** One run of one runner. */
export interface Sample {
	runner: RunnerId;
	deliveriesPerSecond: number;
	/** The time to the answer of each delivery. */
	milliseconds: number[];
	/** From the first delivery to the end of the last execution, per execution. */
	executionsPerSecond: number;
	cost: Cost;
	counts: Counts;
}

/** What became of the deliveries. */
export interface Counts {
	deliveries: number;
	/** Without those that repeat another. */
	events: number;
	executedOnce: number;
	executedTwice: number;
	lost: number;
	answeredAsRepeat: number;
	/** Deliveries that were not answered with 200. */
	refused: number;
}

export interface Measurement {
	cell: Cell;
	rounds: Sample[][];
}

/** What the tally answers at the end of a run. */
interface Ended {
	cost: Cost;
	executions: Executions;
}

const EXECUTED_WITHIN_MS = 60_000;

/** The runners in one n8n, one at a time. */
export class Bench {
	private constructor(
		private readonly targets: ReadonlyMap<RunnerId, Target>,
		private readonly tallyUrl: string,
		private readonly say: (line: string) => void,
	) {}

	/** Activates a workflow for each runner. */
	static async prepare(
		client: N8nClient,
		runners: readonly RunnerId[],
		say: (line: string) => void,
	): Promise<Bench> {
		const starts = await startNodes(client);
		const targets = new Map<RunnerId, Target>();
		for (const runner of runners)
			targets.set(runner, await createRunner(client, runner, starts[runner]));
		return new Bench(targets, await createTally(client), say);
	}

	/** All runs of a cell. */
	async measure(cell: Cell): Promise<Measurement> {
		const make = eventMaker(cell.shape);
		const runners = [...this.targets.keys()];
		const rounds = await inRounds(
			cell.rounds,
			() => runners,
			async (runner) => {
				const events = Array.from({ length: cell.deliveries }, make);
				return await this.run(runner, events, cell.connections);
			},
			sayOf(this.say, cell.title, brief),
		);
		return { cell, rounds };
	}

	/** One run; with a file, n8n is profiled into it. */
	async run(
		runner: RunnerId,
		events: readonly Event[],
		connections: number,
		profileFile?: string,
	): Promise<Sample> {
		const target = this.targets.get(runner);
		if (!target) throw new Error(`${runner} was not prepared`);
		await this.tally({ step: 'begin', profileFile });
		const startedAt = Date.now();
		const before = performance.now();
		const answers = await deliverAll(target, events, connections);
		const seconds = (performance.now() - before) / 1000;
		const accepted = answers.filter(isAccepted).length;
		// What was lost shows in the counts.
		await this.untilExecuted(accepted).catch(() => undefined);
		const { cost, executions } = await this.tally<Ended>({ step: 'end' });
		const counts = countsOf(answers, executions);
		const executed = executions.counts.reduce((sum, [, times]) => sum + times, 0);
		return {
			runner,
			deliveriesPerSecond: events.length / seconds,
			milliseconds: answers.map(({ milliseconds }) => milliseconds),
			executionsPerSecond: (executed / (executions.lastAt - startedAt)) * 1000,
			cost,
			counts,
		};
	}

	private async untilExecuted(count: number): Promise<void> {
		const ask = async () => {
			const { executed } = await this.tally<{ executed: number }>({ step: 'count' });
			return executed >= count ? true : undefined;
		};
		await eventually(`${count} executions`, ask, EXECUTED_WITHIN_MS);
	}

	private async tally<T>(body: { step: string; profileFile?: string }): Promise<T> {
		return (await axios.post<T>(this.tallyUrl, body, { proxy: false })).data;
	}
}

const isRepeat = ({ status, body }: Answer): boolean =>
	status === 200 && body === '{"repeat":true}';

const isAccepted = (answer: Answer): boolean => answer.status === 200 && !isRepeat(answer);

function countsOf(answers: readonly Answer[], { counts }: Executions): Counts {
	const times = new Map(counts);
	const events = [...new Set(answers.map(({ reference }) => reference))];
	const executed = events.map((reference) => times.get(reference) ?? 0);
	return {
		deliveries: answers.length,
		events: events.length,
		executedOnce: executed.filter((count) => count === 1).length,
		executedTwice: executed.filter((count) => count > 1).length,
		lost: executed.filter((count) => count === 0).length,
		answeredAsRepeat: answers.filter(isRepeat).length,
		refused: answers.filter(({ status }) => status !== 200).length,
	};
}

const brief = ({
	runner,
	deliveriesPerSecond,
	executionsPerSecond,
	cost,
	counts,
}: Sample): string =>
	`${runner} ${deliveriesPerSecond.toFixed(1)}/s, executed ${executionsPerSecond.toFixed(1)}/s, ${(cost.cpuMilliseconds / counts.deliveries).toFixed(1)} ms CPU`;
