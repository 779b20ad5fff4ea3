import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrival } from '../../../test/simulator/control';
import { eventually } from '../../eventually';
import { post } from '../../post';
import type { ExecutionSummary } from '../../restTypes';
import { inRounds, runnersDue, sayOf, type Rig } from '../rounds';
import type { RunnerId } from '../runners';
import { idealEnd, outcomeOf, servedTimes, type Limit, type Outcome } from './figures';
import type { BesideListScenario, BurstScenario } from './scenarios';
import { listDraft, singleCallDraft, type Draft } from './workflows';

/** One burst of one runner; times in milliseconds from the moment in which the events were posted. */
export interface BurstSample {
	runner: RunnerId;
	outcome: Outcome;
	/** Until the service acted on the last call that it acted on. */
	end: number;
	/** The same with a service that allows everything: what n8n itself needs. */
	unlimitedEnd: number;
	/** The earliest end that the limit leaves, for events that n8n works off as it does without one. */
	idealEnd: number;
	/** What came to the service, with times from the same moment, for whoever wants to look closer. */
	arrivals: Arrival[];
}

export interface BurstMeasurement {
	scenario: BurstScenario;
	rounds: BurstSample[][];
}

/** The single calls of one runner; times in milliseconds. */
export interface BesideListSample {
	runner: RunnerId;
	/** From posting each event until the service acted on its call, with nothing else going on. */
	idle: number[];
	/** The same beside the list, of those that the service acted on. */
	besideList: number[];
	lost: number;
	/** How many requests of the list came in between, for each of them. */
	inBetween: number[];
}

export interface BesideListMeasurement {
	scenario: BesideListScenario;
	rounds: BesideListSample[][];
}

const WARM_UP_EXECUTIONS = 20;
const WARM_UP_ITEMS = 300;
/** After so many requests a list is under way: a runner has met the limit. */
const REQUESTS_AHEAD = 60;
/** After so long without a request, a list that was stopped sends no more. */
const QUIET_MS = 2000;

interface Active {
	id: string;
	url: string;
}

/** The runners of the scenarios in one n8n, one at a time, each run with a workflow of its own. */
export class BurstBench {
	constructor(private readonly rig: Rig) {}

	/** All bursts of a scenario. */
	async measureBurst(scenario: BurstScenario): Promise<BurstMeasurement> {
		const rounds = await inRounds(
			scenario.rounds,
			() => scenario.runners,
			async (runner) => await this.burst(scenario, runner),
			sayOf(this.rig.say, `burst of ${scenario.executions}`, briefBurst),
		);
		return { scenario, rounds };
	}

	/** The same for single calls beside a list. */
	async measureBesideList(scenario: BesideListScenario): Promise<BesideListMeasurement> {
		const rounds = await inRounds(
			scenario.rounds,
			runnersDue(scenario),
			async (runner) => await this.besideList(scenario, runner),
			sayOf(this.rig.say, `beside a list of ${scenario.list}`, briefList),
		);
		return { scenario, rounds };
	}

	private async burst(scenario: BurstScenario, runner: RunnerId): Promise<BurstSample> {
		const { executions, limit } = scenario;
		const unlimited = await this.postAll(runner, executions, null);
		const limited = await this.postAll(runner, executions, limit);
		return {
			runner,
			outcome: outcomeOf(limited.arrivals, executions, limited.failed),
			end: Math.max(...servedTimes(limited.arrivals)),
			unlimitedEnd: Math.max(...servedTimes(unlimited.arrivals)),
			idealEnd: idealEnd(servedTimes(unlimited.arrivals), limit),
			arrivals: limited.arrivals,
		};
	}

	/** Posts all events at the same moment; gives what came to the service, with times from that moment. */
	private async postAll(
		runner: RunnerId,
		count: number,
		limit: Limit | null,
	): Promise<{ arrivals: Arrival[]; failed: number }> {
		const { client, service } = this.rig;
		const { id, url } = await this.activateSingle(runner);
		await service.prepare({ latencyMs: 0, ...allow(limit) });
		const earlier = await client.lastExecutionId();
		const postedAt = Date.now();
		await Promise.all(numbers(count).map(async (to) => post(url, { to })));
		const ended = await client.allFinished(id);
		const all = await service.arrivals();
		const failed = ended.filter((one) => Number(one.id) > Number(earlier) && hasFailed(one));
		return {
			arrivals: all.map((arrival) => ({ ...arrival, at: arrival.at - postedAt })),
			failed: failed.length,
		};
	}

	private async besideList(
		scenario: BesideListScenario,
		runner: RunnerId,
	): Promise<BesideListSample> {
		const { client, service, credential } = this.rig;
		const traffic = { latencyMs: 0, ...allow(scenario.limit) };
		const { singles } = scenario;
		const single = await this.activateSingle(runner);
		const list = await this.activate(listDraft(runner, service, credential));
		await this.postList(list, WARM_UP_ITEMS);
		await client.allFinished(list.id);

		await service.prepare(traffic);
		const idle = await this.callOneByOne(single, singles);
		await service.prepare(traffic);
		await this.postList(list, scenario.list);
		await eventually('the first requests of the list', async () => {
			const { requests } = await service.delivered();
			return requests >= REQUESTS_AHEAD ? true : undefined;
		});
		const besideList = await this.callOneByOne(single, singles);
		await this.stopList(list);
		return {
			runner,
			idle: idle.map(({ wait }) => wait),
			besideList: besideList.map(({ wait }) => wait),
			lost: singles - besideList.length,
			inBetween: besideList.map(({ inBetween }) => inBetween),
		};
	}

	/** Posts events one after the other, each when the execution before has ended; gives what the service acted on. */
	private async callOneByOne(
		{ id, url }: Active,
		count: number,
	): Promise<{ wait: number; inBetween: number }[]> {
		const { client, service, untilReady } = this.rig;
		const posted: { to: string; at: number }[] = [];
		for (const to of numbers(count)) {
			posted.push({ to, at: Date.now() });
			await post(url, { to });
			await untilReady();
			await client.allFinished(id);
		}
		const arrivals = await service.arrivals();
		return posted.flatMap(({ to, at: postedAt }) => {
			const served = arrivals.find(({ recipient, processed }) => processed && recipient === to);
			if (served === undefined) return [];
			const { at } = served;
			const before = arrivals.filter((one) => one.at > postedAt && one.at < at);
			const inBetween = before.filter(({ recipient }) => recipient !== to).length;
			return [{ wait: at - postedAt, inBetween }];
		});
	}

	private async postList({ url }: Active, count: number): Promise<void> {
		const { assistantId, fromNumber } = this.rig.service;
		await post(url, { count, assistantId, fromNumber });
	}

	/** What n8n cannot stop goes on until it is through. */
	private async stopList({ id }: Active): Promise<void> {
		const { client, service, untilReady } = this.rig;
		for (const execution of await client.executions(id)) {
			// It may have ended by now.
			await client.stop(execution.id).catch(() => undefined);
		}
		for (let before = -1, now = 0; now > before; now = (await service.arrivals()).length) {
			before = now;
			await sleep(QUIET_MS);
		}
		await untilReady();
	}

	/** A workflow of one call for each event, which has run warm. */
	private async activateSingle(runner: RunnerId): Promise<Active> {
		const { client, service, credential } = this.rig;
		const active = await this.activate(singleCallDraft(runner, service, credential));
		await service.prepare({ latencyMs: 0, requestsPerSecond: null });
		await Promise.all(numbers(WARM_UP_EXECUTIONS).map(async (to) => post(active.url, { to })));
		await client.allFinished(active.id);
		return active;
	}

	private async activate({ path, workflow }: Draft): Promise<Active> {
		const { client } = this.rig;
		const saved = await client.createWorkflow(workflow);
		await client.activate(saved);
		await client.waitForWebhook(path);
		return { id: saved.id, url: `${client.baseUrl}${path}` };
	}
}

/** None of them is in a list. */
const numbers = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `+4916${String(index).padStart(8, '0')}`);

const allow = (limit: Limit | null) => limit ?? { requestsPerSecond: null };

const hasFailed = ({ status }: ExecutionSummary): boolean => status !== 'success';

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;

const briefBurst = ({ runner, outcome, end, unlimitedEnd, idealEnd: ideal }: BurstSample): string =>
	`${runner} ${outcome.once} once, ${outcome.lost} lost, ${outcome.requestsPerCall.toFixed(2)} requests per call (${outcome.mostRequests}), ${seconds(end)}, ideal ${seconds(ideal)}, unlimited ${seconds(unlimitedEnd)}`;

const briefList = ({ runner, idle, besideList, lost, inBetween }: BesideListSample): string =>
	`${runner} ${rounded(idle)} ms idle, ${rounded(besideList)} ms beside it, ${lost} lost, ${inBetween.join('/')} in between`;

const rounded = (values: readonly number[]): string =>
	values.map((value) => value.toFixed(0)).join('/');
