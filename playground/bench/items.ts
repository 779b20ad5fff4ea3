import axios from 'axios';
import path from 'node:path';
import { count, ratioOf, spreadOf, type Figure, type Spread } from './figures';
import type { Cost } from './nodes/probe';
import {
	middle,
	spreadTarget,
	times,
	whole,
	type Column,
	type Report,
	type Target,
} from './report';
import { measureTable, of, type Rig, type Rounds } from './rounds';
import { clock, goingOn, LISTED_NUMBERS, nameOf, numbersNode, runnerNode } from './runners';
import type { RunnerId } from './runners';
import { outcomeOf, type Outcome } from './service';
import { behindWebhook, type Ended } from './workflows';

/** The same list of calls for several runners. */
interface Kind {
	title: string;
	runners: readonly RunnerId[];
	latencyMs?: number;
	requestsPerSecond?: number;
}

const TITLE = '3 expression fields';
const FOUR: readonly RunnerId[] = ['node', 'httpRequest', 'declarative', 'floor'];

const KINDS = {
	sweep: { title: `${TITLE}, no latency`, runners: FOUR },
	latency: { title: `${TITLE}, 100 ms latency`, runners: FOUR, latencyMs: 100 },
	listed: {
		title: `${TITLE}, no latency, ${count(LISTED_NUMBERS)} numbers not to contact`,
		runners: ['node', 'nodeWithList'],
	},
	limited: {
		title: `${TITLE}, the service allows 50 requests a second`,
		runners: [...FOUR, 'httpRequestBatched', 'httpRequestRetry'],
		requestsPerSecond: 50,
	},
} as const satisfies Record<string, Kind>;

type Scenario = readonly [kind: keyof typeof KINDS, items: number, rounds: number];

/** The last one teaches the node a pace, which it keeps for a minute. */
const SCENARIOS: readonly Scenario[] = [
	['sweep', 100, 5],
	['sweep', 1000, 5],
	['sweep', 5000, 3],
	['sweep', 20_000, 1],
	['latency', 1000, 3],
	['listed', 5000, 3],
	['limited', 500, 3],
];

/** Whether everything works, in two minutes. */
const QUICK: readonly Scenario[] = [
	['sweep', 100, 3],
	['sweep', 1000, 1],
	['latency', 200, 1],
	['limited', 200, 1],
];

interface Sample extends Outcome {
	items: number;
	/** Absent if the run failed as a whole. */
	cost?: Cost;
	peakInFlight: number;
}

interface Measurement {
	kind: keyof typeof KINDS;
	items: number;
	samples: Rounds<RunnerId, Sample>;
	figures: string;
}

const RUN_WITHIN_MS = 300_000;
const WARM_UP_ITEMS = 300;

const cost =
	(name: keyof Cost, unit = 1): Figure<Sample> =>
	(sample) =>
		(sample.cost?.[name] ?? NaN) / unit;
const perItem: Figure<Sample> = (sample) => cost('milliseconds')(sample) / sample.items;
const freeze = cost('freezeMilliseconds');
const heap = cost('peakHeapBytes', 1e6);

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

const below = (most: number) => (spread: Spread) => spread.median <= most;
const from = (least: number) => (spread: Spread) => spread.median >= least;

/** The promises that these measurements can decide. */
function targetsOf(all: readonly Measurement[]): Target[] {
	const ofKind = (wanted: Measurement['kind']) => all.filter(({ kind }) => kind === wanted);
	const [sizes, slow] = [ofKind('sweep'), ofKind('latency')];
	/** How many times as much the one takes as the other. */
	const ratio = (
		promise: string,
		[over, under]: readonly [RunnerId, RunnerId],
		isMet: (spread: Spread) => boolean,
		figure = perItem,
		among = sizes,
	): Target => {
		const spreads = among.map(({ items, samples }) => {
			const [above, other] = [of(samples, over), of(samples, under)];
			return [count(items), ratioOf(above, other, figure)] as const;
		});
		return spreadTarget(promise, spreads, 2, isMet);
	};
	const freezes = (promise: string, among: readonly Measurement[], runner: RunnerId): Target => {
		const spreads = among.map(
			({ items, samples }) => [count(items), spreadOf(of(samples, runner).map(freeze))] as const,
		);
		return spreadTarget(`${promise}, at most 100 ms`, spreads, 0, ({ max }) => max <= 100, ' ms');
	};
	const isLess = ({ median }: Spread) => median < 1;
	const [toHttp, ofHttp] = [['httpRequest', 'node'] as const, ['node', 'httpRequest'] as const];
	const longest = 'Longest freeze';
	const withList = `${longest} with ${count(LISTED_NUMBERS)} numbers not to contact`;
	const notSlower = '100 ms latency: not slower than HTTP Request (at least 1)';
	const asStock = 'At least 2 times as fast as the stock declarative node';
	const noMore = "Peak memory not more than HTTP Request's (at most 1)";
	return [
		ratio('At least 1.5 times as fast as HTTP Request', toHttp, from(1.5)),
		ratio(asStock, ['declarative', 'node'], from(2)),
		ratio('At most 1.25 times the time of the floor', ['node', 'floor'], below(1.25)),
		freezes(`${longest} of n8n, at any number of items`, sizes, 'node'),
		ratio(`${longest} below HTTP Request's (ratio below 1)`, ofHttp, isLess, freeze),
		ratio(notSlower, toHttp, from(1), perItem, slow),
		...slow.map(inFlightTarget),
		...ofKind('limited').flatMap(limitTargets),
		ratio(noMore, ofHttp, below(1), heap, sizes.slice(-1)),
		growthTarget(sizes.slice(-2)),
		freezes(withList, ofKind('listed'), 'nodeWithList'),
	];
}

function inFlightTarget({ samples }: Measurement): Target {
	const peak = Math.max(...of(samples, 'node').map(({ peakInFlight }) => peakInFlight));
	const promise = 'The same: at most 50 requests in flight';
	return { promise, measured: `${peak}`, isMet: peak <= 50 };
}

function limitTargets({ items, samples }: Measurement): Target[] {
	const { requestsPerSecond } = KINDS.limited;
	const own = of(samples, 'node');
	const once = Math.min(...own.map((sample) => sample.once));
	const twice = Math.max(...own.map(({ moreThanOnce }) => moreThanOnce));
	const time = spreadOf(own.map((sample) => (perItem(sample) * requestsPerSecond) / 1000));
	return [
		{
			promise: `A service that allows ${requestsPerSecond} requests a second: everything delivered once`,
			measured: `${count(items)} items: ${count(once)} once, ${twice} twice, ${items - once - twice} lost`,
			isMet: once === items && twice === 0,
		},
		spreadTarget(
			'The same: time over the ideal time, at most 1.2',
			[[count(items), time]],
			2,
			below(1.2),
		),
	];
}

function growthTarget(two: readonly Measurement[]): Target {
	const items = two.map((one) => one.items);
	const heaps = two.map(({ samples }) => spreadOf(of(samples, 'node').map(heap))?.median ?? NaN);
	const [growth = NaN, ratio = NaN] = [items, heaps].map(
		([small = NaN, large = NaN]) => large / small,
	);
	return {
		promise: 'Memory grows no faster than the number of items',
		measured: `${growth.toFixed(0)} times the items (${items.map(count).join(' to ')}): ${ratio.toFixed(1)} times the memory`,
		isMet: ratio <= growth,
	};
}

/** One run: webhook, contacts, runner, and what it cost as the answer of the webhook. */
type Run = (scenario: Scenario, runner: RunnerId, profileFile?: string) => Promise<Sample>;

/** A workflow for each runner, made and run warm before the first run. */
async function prepare(rig: Rig, scenarios: readonly Scenario[]): Promise<Run> {
	const { service } = rig;
	const urls = new Map<RunnerId, string>();
	const call = async (url: string, items: number, profileFile?: string) => {
		const body = { count: items, ...service.sender, profileFile };
		const options = { proxy: false as const, timeout: RUN_WITHIN_MS, validateStatus: () => true };
		const { status, data } = await axios.post<Ended>(url, body, options);
		return status === 200 ? data.cost : undefined;
	};
	for (const runner of new Set(scenarios.flatMap(([kind]) => [...KINDS[kind].runners]))) {
		const nodes = [
			...(runner === 'nodeWithList' ? [numbersNode()] : []),
			clock('begin'),
			runnerNode(runner, 3, rig, '={{ $json.to }}', goingOn(runner)),
			clock('end'),
		];
		const { url } = await behindWebhook(rig.client, nameOf(runner), nodes, 'lastNode');
		urls.set(runner, url);
		service.prepare(null);
		for (let times = 0; times < 2; times++) await call(url, WARM_UP_ITEMS);
	}
	return async ([kind, items], runner, profileFile) => {
		const { latencyMs, requestsPerSecond }: Kind = KINDS[kind];
		const limit = requestsPerSecond === undefined ? null : { requestsPerSecond };
		service.prepare(limit, latencyMs);
		await rig.untilReady();
		const spent = await call(urls.get(runner) ?? '', items, profileFile);
		const outcome = outcomeOf(service.arrivals(), items);
		return { items, cost: spent, ...outcome, peakInFlight: service.peakInFlight() };
	};
}

/** Lists of items. */
export async function measureItems(rig: Rig, isQuick: boolean): Promise<Report> {
	const scenarios = isQuick ? QUICK : SCENARIOS;
	const run = await prepare(rig, scenarios);
	const measured: Measurement[] = [];
	for (const scenario of scenarios) {
		const [kind, items, rounds] = scenario;
		const { title, runners }: Kind = KINDS[kind];
		const table = {
			title: `${title}: ${count(items)} items, ${rounds === 1 ? '1 round' : `${rounds} rounds`}`,
			rounds: [rounds, items > 1000 ? 1 : rounds] as const,
			...{ runners, nameOf, columns: COLUMNS },
			run: async (runner: RunnerId) => await run(scenario, runner),
			brief: (sample: Sample, runner: RunnerId) =>
				`${runner} ${perItem(sample).toFixed(2)} ms, ${freeze(sample).toFixed(0)} ms`,
		};
		measured.push({ kind, items, ...(await measureTable(table, rig.say)) });
	}
	const figures = measured.map((one) => one.figures).join('\n\n');
	return { part: 'measured', targets: targetsOf(measured), figures };
}

/** One run of each runner under V8's profiler; the files open in the developer tools of a browser. */
export async function profile(rig: Rig): Promise<void> {
	const scenario: Scenario = ['sweep', 5000, 1];
	const run = await prepare(rig, [scenario]);
	for (const runner of KINDS.sweep.runners) {
		const file = path.join(rig.userFolder, `${runner}.cpuprofile`);
		await run(scenario, runner, file);
		rig.say(path.relative('.', file));
	}
}
