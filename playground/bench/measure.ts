import axios from 'axios';
import type { Cost } from './nodes/probe';
import { inRounds, runnersDue, sayOf, type Rig } from './rounds';
import { webhookPathOf, workflowOf, type FieldCount, type RunnerId } from './runners';
import type { Scenario } from './scenarios';
import type { Delivered } from './service';

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

	constructor(private readonly rig: Rig) {}

	/** All runs of a scenario. */
	async measure(scenario: Scenario): Promise<Measurement> {
		const rounds = await inRounds(
			scenario.rounds,
			runnersDue(scenario),
			async (runner) => await this.run(scenario, runner),
			sayOf(this.rig.say, `${scenario.title}, ${scenario.items} items`, brief),
		);
		return { scenario, rounds };
	}

	/** One run; with a file, it is profiled into it. */
	async run(scenario: Scenario, runner: RunnerId, profileFile?: string): Promise<Sample> {
		const { latencyMs, requestsPerSecond, fields, items } = scenario;
		const { service, untilReady } = this.rig;
		await service.prepare({ latencyMs, requestsPerSecond });
		await untilReady();
		const cost = await this.call(runner, fields, items, profileFile);
		return { runner, cost, delivered: await service.delivered() };
	}

	/** Activates the workflow of a runner once, and lets it run warm. */
	async prepare(runner: RunnerId, fields: FieldCount): Promise<void> {
		const path = webhookPathOf(runner, fields);
		if (this.ready.has(path)) return;
		this.ready.add(path);
		const { client, service, credential } = this.rig;
		const draft = workflowOf(runner, fields, service, credential);
		await client.activate(await client.createWorkflow(draft));
		await client.waitForWebhook(`/webhook/${path}`);
		await service.prepare({ latencyMs: 0, requestsPerSecond: null });
		await this.call(runner, fields, WARM_UP_ITEMS);
		await this.call(runner, fields, WARM_UP_ITEMS);
	}

	private async call(
		runner: RunnerId,
		fields: FieldCount,
		count: number,
		profileFile?: string,
	): Promise<Cost | undefined> {
		const { client, service } = this.rig;
		const { assistantId, fromNumber } = service;
		const answer = await axios.post<Cost>(
			`${client.baseUrl}/webhook/${webhookPathOf(runner, fields)}`,
			{ count, assistantId, fromNumber, profileFile },
			{ proxy: false, timeout: RUN_WITHIN_MS, validateStatus: () => true },
		);
		return answer.status === 200 ? answer.data : undefined;
	}
}

const brief = ({ runner, cost }: Sample): string =>
	cost
		? `${runner} ${(cost.milliseconds / 1000).toFixed(2)} s, ${cost.freezeMilliseconds.toFixed(0)} ms`
		: `${runner} failed`;
