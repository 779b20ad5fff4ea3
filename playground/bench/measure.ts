import axios from 'axios';
import type { N8nClient } from '../rest';
import type { SavedCredential } from '../restTypes';
import type { Cost } from './nodes/probe';
import { webhookPathOf, workflowOf, type FieldCount, type RunnerId } from './runners';
import type { Scenario } from './scenarios';
import type { Delivered, Service } from './service';

/** One run of one runner. */
export interface Sample {
	runner: RunnerId;
	/** Absent if the run failed as a whole. */
	cost?: Cost;
	delivered: Delivered;
}

/** The samples of a scenario by round. */
export interface Measurement {
	scenario: Scenario;
	rounds: Sample[][];
}

const RUN_WITHIN_MS = 300_000;
const WARM_UP_ITEMS = 300;

/** Runs the runners of the scenarios in one n8n, one at a time. */
export class Bench {
	private readonly ready = new Set<string>();

	constructor(
		private readonly client: N8nClient,
		private readonly service: Service,
		private readonly credential: SavedCredential,
		/** Waits until n8n has caught up: after a long freeze it takes its database for lost. */
		private readonly untilReady: () => Promise<void>,
		private readonly say: (line: string) => void,
	) {}

	/** The runners take turns, so that a slow moment of the machine does not hit only one of them. */
	async measure(scenario: Scenario): Promise<Measurement> {
		const rounds: Sample[][] = [];
		for (let round = 0; round < scenario.rounds; round++) {
			const samples: Sample[] = [];
			for (const runner of scenario.runners) {
				if (isDue(scenario, runner, round)) samples.push(await this.run(scenario, runner));
			}
			rounds.push(samples);
			this.say(`${scenario.title}, ${scenario.items} items, round ${round + 1}: ${brief(samples)}`);
		}
		return { scenario, rounds };
	}

	/** One run; with a file, it is profiled into it. */
	async run(scenario: Scenario, runner: RunnerId, profileFile?: string): Promise<Sample> {
		const { latencyMs, requestsPerSecond, fields, items } = scenario;
		await this.service.prepare({ latencyMs, requestsPerSecond });
		await this.untilReady();
		const cost = await this.call(runner, fields, items, profileFile);
		return { runner, cost, delivered: await this.service.delivered() };
	}

	/** Activates the workflow of a runner once, and lets it run warm. */
	async prepare(runner: RunnerId, fields: FieldCount): Promise<void> {
		const path = webhookPathOf(runner, fields);
		if (this.ready.has(path)) return;
		this.ready.add(path);
		const draft = workflowOf(runner, fields, this.service, this.credential);
		await this.client.activate(await this.client.createWorkflow(draft));
		await this.client.waitForWebhook(`/webhook/${path}`);
		await this.service.prepare({ latencyMs: 0, requestsPerSecond: null });
		await this.call(runner, fields, WARM_UP_ITEMS);
		await this.call(runner, fields, WARM_UP_ITEMS);
	}

	private async call(
		runner: RunnerId,
		fields: FieldCount,
		count: number,
		profileFile?: string,
	): Promise<Cost | undefined> {
		const { assistantId, fromNumber } = this.service;
		const answer = await axios.post<Cost>(
			`${this.client.baseUrl}/webhook/${webhookPathOf(runner, fields)}`,
			{ count, assistantId, fromNumber, profileFile },
			{ proxy: false, timeout: RUN_WITHIN_MS, validateStatus: () => true },
		);
		return answer.status === 200 ? answer.data : undefined;
	}
}

/** A freeze of minutes is as clear after one round as after three. */
const isDue = ({ slowRounds }: Scenario, runner: RunnerId, round: number): boolean =>
	runner !== 'declarative' || round < slowRounds;

const brief = (samples: readonly Sample[]): string =>
	samples
		.map(({ runner, cost }) =>
			cost
				? `${runner} ${(cost.milliseconds / 1000).toFixed(2)} s, ${cost.freezeMilliseconds.toFixed(0)} ms`
				: `${runner} failed`,
		)
		.join(' · ');
