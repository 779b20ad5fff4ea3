import axios from 'axios';
import { count } from './figures';
import { cost, freeze, heap, perItem, targetsOf } from './itemTargets';
import type { KindName, Measurement, Sample } from './itemTargets';
import { middle, times, whole, type Column, type Report } from './report';
import { measureTable, type Rig } from './rounds';
import { clock, LISTED_NUMBERS, nameOf, numbersNode, runnerNode } from './runners';
import type { RunnerId } from './runners';
import { outcomeOf } from './service';
import { behindWebhook, numbers, type Ended } from './workflows';

/** The same list of calls for several runners. */
interface Kind {
	title: string;
	runners: readonly RunnerId[];
	latencyMs?: number;
}

const TITLE = '3 expression fields';
const BOTH: readonly RunnerId[] = ['node', 'httpRequest'];

const KINDS: Readonly<Record<KindName, Kind>> = {
	sweep: { title: `${TITLE}, no latency`, runners: BOTH },
	latency: { title: `${TITLE}, 100 ms latency`, runners: BOTH, latencyMs: 100 },
	listed: {
		title: `${TITLE}, no latency, ${count(LISTED_NUMBERS)} numbers not to contact`,
		runners: ['node', 'nodeWithList'],
	},
};

type Scenario = readonly [kind: KindName, items: number, rounds: number];

const SCENARIOS: readonly Scenario[] = [
	['sweep', 100, 3],
	['sweep', 1500, 5],
	['sweep', 5000, 2],
	['sweep', 20_000, 1],
	['latency', 1000, 2],
	['listed', 5000, 2],
];

const RUN_WITHIN_MS = 300_000;
const WARM_UP_ITEMS = 300;

const COLUMNS: readonly Column<Sample>[] = [
	middle('ms per item', perItem, 2),
	times('× this node', perItem),
	middle('longest freeze, ms', freeze, 0),
	middle('of it busy, ms', cost('busyMilliseconds'), 0),
	middle('heap, MB', heap, 0),
	whole('delivered once', ({ once }) => once, 'min'),
	whole('twice', ({ moreThanOnce }) => moreThanOnce, 'max'),
	whole('lost', ({ lost }) => lost, 'max'),
	whole('in flight', ({ peakInFlight }) => peakInFlight, 'max'),
];

/** One run: webhook, contacts, runner, and what it cost as the answer of the webhook. */
type Run = (scenario: Scenario, runner: RunnerId) => Promise<Sample>;

/** A workflow for each runner, made and run warm before the first run. */
async function prepare(rig: Rig, scenarios: readonly Scenario[]): Promise<Run> {
	const { service } = rig;
	const urls = new Map<RunnerId, string>();
	const call = async (url: string, items: number) => {
		const body = { people: numbers(items), ...service.sender };
		const options = { proxy: false as const, timeout: RUN_WITHIN_MS, validateStatus: () => true };
		const { status, data } = await axios.post<Ended>(url, body, options);
		return status === 200 ? data.cost : undefined;
	};
	for (const runner of new Set(scenarios.flatMap(([kind]) => KINDS[kind].runners))) {
		const nodes = [
			...(runner === 'nodeWithList' ? [numbersNode()] : []),
			clock('begin'),
			// As a list that is to be finished.
			runnerNode(runner, 3, rig, '={{ $json.to }}', { onError: 'continueRegularOutput' }),
			clock('end'),
		];
		const { url } = await behindWebhook(rig.client, nameOf(runner), nodes, 'lastNode');
		urls.set(runner, url);
		service.prepare(null);
		for (let times = 0; times < 2; times++) await call(url, WARM_UP_ITEMS);
	}
	return async ([kind, items], runner) => {
		service.prepare(null, KINDS[kind].latencyMs);
		await rig.untilReady();
		const spent = await call(urls.get(runner) ?? '', items);
		const outcome = outcomeOf(service.arrivals(), items);
		return { items, cost: spent, ...outcome, peakInFlight: service.peakInFlight() };
	};
}

/** Lists of items. */
export async function measureItems(rig: Rig, isQuick: boolean): Promise<Report> {
	// Quickly: whether everything works.
	const scenarios = isQuick ? SCENARIOS.slice(0, 1) : SCENARIOS;
	const run = await prepare(rig, scenarios);
	const measured: Measurement[] = [];
	for (const scenario of scenarios) {
		const [kind, items, rounds] = scenario;
		const { title, runners } = KINDS[kind];
		const table = {
			title: `${title}: ${count(items)} items, ${rounds === 1 ? '1 round' : `${rounds} rounds`}`,
			...{ rounds, runners, nameOf, columns: COLUMNS },
			run: async (runner: RunnerId) => await run(scenario, runner),
		};
		measured.push({ kind, items, ...(await measureTable(table)) });
	}
	const figures = measured.map((one) => one.figures).join('\n\n');
	return { part: 'measured', targets: targetsOf(measured), figures };
}
