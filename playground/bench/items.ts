import axios from 'axios';
import path from 'node:path';
import { count, ratioOf, show } from './figures';
import {
	cost,
	freeze,
	heap,
	perItem,
	targetsOf,
	type Measurement,
	type Sample,
	type Scenario,
} from './itemTargets';
import { middle, section, whole, type Column, type Report } from './report';
import { inRounds, type Rig } from './rounds';
import { clock, goingOn, LISTED_NUMBERS, named, numbersNode, runnerNode, RUNNERS } from './runners';
import type { RunnerId } from './runners';
import { outcomeOf } from './service';
import { behindWebhook, type Ended } from './workflows';

const FOUR: readonly RunnerId[] = ['node', 'httpRequest', 'declarative', 'floor'];

const sweep = (items: number, rounds: number, runners = FOUR): Scenario => ({
	id: 'sweep',
	title: '3 expression fields, no latency',
	items,
	rounds,
	runners,
});

const latency = (items: number, rounds: number): Scenario => ({
	...sweep(items, rounds),
	id: 'latency',
	title: '3 expression fields, 100 ms latency',
	latencyMs: 100,
});

const limited = (items: number, rounds: number): Scenario => ({
	...sweep(items, rounds, [...FOUR, 'httpRequestBatched', 'httpRequestRetry']),
	id: 'limited',
	title: '3 expression fields, the service allows 50 requests a second',
	requestsPerSecond: 50,
});

const SCENARIOS: readonly Scenario[] = [
	sweep(100, 5),
	sweep(1000, 5),
	sweep(5000, 3),
	sweep(20_000, 1),
	latency(1000, 3),
	{
		...sweep(5000, 3, ['node', 'nodeWithList']),
		id: 'listed',
		title: `3 expression fields, no latency, ${count(LISTED_NUMBERS)} numbers not to contact`,
	},
	// The last one: the node keeps the pace that it has learned for a minute.
	limited(500, 3),
];

/** Whether everything works, in two minutes. */
const QUICK_SCENARIOS: readonly Scenario[] = [
	sweep(100, 3),
	sweep(1000, 1),
	latency(200, 1),
	limited(200, 1),
];

/** This node beside itself at an earlier commit. */
const AGAINST_SCENARIOS: readonly Scenario[] = (
	[
		[1, 15],
		[1000, 11],
		[5000, 5],
	] as const
).map(([items, rounds]) => ({ ...sweep(items, rounds, ['node', 'earlier']), id: 'against' }));

const RUN_WITHIN_MS = 300_000;
const WARM_UP_ITEMS = 300;

const COLUMNS: readonly Column<Sample>[] = [
	middle('ms per item', perItem, 2),
	[
		'× this node',
		(samples, first) => (samples === first ? '' : show(ratioOf(samples, first, perItem), 2)),
	],
	middle('longest freeze, ms', freeze, 0),
	middle('of it busy, ms', cost('busyMilliseconds'), 0),
	middle('heap, MB', heap, 0),
	whole('delivered once', ({ once }) => once, 'min'),
	whole('twice', ({ moreThanOnce }) => moreThanOnce, 'max'),
	whole('lost', ({ lost }) => lost, 'max'),
	whole('in flight', ({ peakInFlight }) => peakInFlight, 'max'),
];

/** One run: webhook, contacts, runner, and what it cost as the answer of the webhook. */
type Run = (scenario: Scenario, runner: RunnerId, profileFile?: string) => Promise<Sample>;

/** A workflow for each runner, made and run warm before the first run. */
async function prepare(rig: Rig, scenarios: readonly Scenario[]): Promise<Run> {
	const { client, service } = rig;
	const { assistantId, fromNumber } = service;
	const urls = new Map<RunnerId, string>();
	const call = async (url: string, items: number, profileFile?: string) => {
		const body = { count: items, assistantId, fromNumber, profileFile };
		const options = { proxy: false as const, timeout: RUN_WITHIN_MS, validateStatus: () => true };
		const { status, data } = await axios.post<Ended>(url, body, options);
		return status === 200 ? data.cost : undefined;
	};
	for (const runner of new Set(scenarios.flatMap(({ runners }) => runners))) {
		const { url } = await behindWebhook(
			client,
			RUNNERS[runner].name,
			[
				...(runner === 'nodeWithList' ? [numbersNode()] : []),
				clock('begin'),
				runnerNode(runner, 3, rig, '={{ $json.to }}', goingOn(runner)),
				clock('end'),
			],
			'lastNode',
		);
		urls.set(runner, url);
		await service.prepare(null);
		for (let times = 0; times < 2; times++) await call(url, WARM_UP_ITEMS);
	}
	return async ({ items, latencyMs, requestsPerSecond }, runner, profileFile) => {
		await service.prepare(
			requestsPerSecond === undefined ? null : { requestsPerSecond },
			latencyMs,
		);
		await rig.untilReady();
		const spent = await call(urls.get(runner) ?? '', items, profileFile);
		const outcome = outcomeOf(await service.arrivals(), items);
		return { items, cost: spent, ...outcome, peakInFlight: await service.peakInFlight() };
	};
}

async function measure(rig: Rig, scenarios: readonly Scenario[]): Promise<Measurement[]> {
	const run = await prepare(rig, scenarios);
	const measurements: Measurement[] = [];
	for (const scenario of scenarios) {
		const samples = await inRounds(
			[scenario.rounds, scenario.items > 1000 ? 1 : scenario.rounds],
			scenario.runners,
			async (runner) => await run(scenario, runner),
			(line) => {
				rig.say(`${scenario.title}, ${scenario.items} items, ${line}`);
			},
			(sample, runner) =>
				`${runner} ${perItem(sample).toFixed(2)} ms, ${freeze(sample).toFixed(0)} ms`,
		);
		measurements.push({ ...scenario, samples });
	}
	return measurements;
}

const sectionOf = ({ title, items, rounds, samples }: Measurement): string =>
	section(
		`${title}: ${count(items)} items, ${rounds === 1 ? '1 round' : `${rounds} rounds`}`,
		COLUMNS,
		named(samples),
	);

/** Lists of items. */
export async function measureItems(rig: Rig, isQuick: boolean): Promise<Report> {
	const measured = await measure(rig, isQuick ? QUICK_SCENARIOS : SCENARIOS);
	return {
		part: 'measured',
		targets: targetsOf(measured),
		figures: measured.map(sectionOf).join('\n\n'),
	};
}

/** This node beside its earlier self, which has to be installed. */
export async function measureAgainst(rig: Rig): Promise<Report> {
	const measured = await measure(rig, AGAINST_SCENARIOS);
	return { part: '', targets: [], figures: measured.map(sectionOf).join('\n\n') };
}

/** One run of each runner under V8's profiler; the files open in the developer tools of a browser. */
export async function profile(rig: Rig): Promise<void> {
	const scenario = sweep(5000, 1);
	const run = await prepare(rig, [scenario]);
	for (const runner of scenario.runners) {
		const file = path.join(rig.userFolder, `${runner}.cpuprofile`);
		await run(scenario, runner, file);
		rig.say(path.relative('.', file));
	}
}
