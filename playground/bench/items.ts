import axios from 'axios';
import type { INode } from 'n8n-workflow';
import { CONTINUE } from '../e2e/world';
import { count, ratioOf, spreadOf, type Figure } from './figures';
import type { Cost } from './BenchClock.node';
import { atLeast, atMost, measureTable, middle, neverAbove } from './report';
import { spreadTarget, times, whole } from './report';
import type { Column, Measured, Report, Target } from './report';
import { clock, nameOf, runnerNode, SENDER, type RunnerId } from './runners';
import { outcomeOf, prepare, type Outcome } from './service';
import type { Rig } from './rig';
import { behindWebhook, newNumbers, type Ended } from './workflows';

/** A list of calls, each answered after this time. */
type Scenario = readonly [items: number, latencyMs: number, rounds: number];

const SCENARIOS: readonly Scenario[] = [
	[100, 0, 3],
	[1500, 0, 5],
	[5000, 0, 2],
	[20_000, 0, 1],
	[1000, 100, 2],
];
const RUNNERS: readonly RunnerId[] = ['node', 'httpRequest'];
const RUN_WITHIN_MS = 300_000;
const WARM_UP_ITEMS = 300;

export interface Sample extends Outcome {
	items: number;
	/** Absent if the run failed as a whole. */
	cost?: Cost;
}

interface Measurement extends Measured<RunnerId, Sample> {
	items: number;
	latencyMs: number;
}

const cost =
	(name: keyof Cost): Figure<Sample> =>
	(sample) =>
		sample.cost?.[name] ?? NaN;
export const perItem: Figure<Sample> = (sample) => cost('milliseconds')(sample) / sample.items;
const freeze = cost('freezeMilliseconds');
const heap: Figure<Sample> = (sample) => cost('peakHeapBytes')(sample) / 1e6;
const inFlight: Figure<Sample> = ({ peakInFlight }) => peakInFlight;

export const COLUMNS: readonly Column<Sample>[] = [
	middle('ms per item', perItem, 2),
	times('× this node', perItem),
	middle('longest freeze, ms', freeze, 0),
	middle('of it busy, ms', cost('busyMilliseconds'), 0),
	middle('heap, MB', heap, 0),
	whole('delivered once', ({ once }) => once, 'min'),
	whole('twice', ({ moreThanOnce }) => moreThanOnce, 'max'),
	whole('lost', ({ lost }) => lost, 'max'),
	whole('in flight', inFlight, 'max'),
];

/** The promises that these measurements can decide, most by how many times as much one runner takes as the other. */
function targetsOf(all: readonly Measurement[]): Target[] {
	const sizes = all.filter(({ latencyMs }) => latencyMs === 0);
	const slow = all.filter(({ latencyMs }) => latencyMs > 0);
	const ratios = (over: RunnerId, under: RunnerId, figure: Figure<Sample>, among = sizes) =>
		among.map(
			({ items, samplesOf }) =>
				[count(items), ratioOf(samplesOf(over), samplesOf(under), figure)] as const,
		);
	const ofNode = (figure: Figure<Sample>, among: readonly Measurement[]) =>
		among.map(
			({ items, samplesOf }) => [count(items), spreadOf(samplesOf('node').map(figure))] as const,
		);
	const [small = [], large = []] = sizes.slice(-2).map(({ samplesOf }) => samplesOf('node'));
	return [
		spreadTarget(
			'At least 1.5 times as fast as HTTP Request',
			ratios('httpRequest', 'node', perItem),
			atLeast(1.5),
		),
		spreadTarget(
			"Longest freeze below HTTP Request's (ratio below 1)",
			ratios('node', 'httpRequest', freeze),
			({ median }) => median < 1,
		),
		spreadTarget(
			'Longest freeze, at any number of items, at most 100 ms',
			ofNode(freeze, sizes),
			neverAbove(100),
			0,
			' ms',
		),
		spreadTarget(
			'100 ms latency: not slower than HTTP Request (at least 1)',
			ratios('httpRequest', 'node', perItem, slow),
			atLeast(1),
		),
		spreadTarget(
			'The same: at most 50 requests in flight',
			ofNode(inFlight, slow),
			neverAbove(50),
			0,
		),
		spreadTarget(
			"Peak memory not more than HTTP Request's (at most 1)",
			ratios('node', 'httpRequest', heap, sizes.slice(-1)),
			atMost(1),
		),
		spreadTarget(
			'Memory for each item: at most that of the size before',
			[['', ratioOf(large, small, (sample) => heap(sample) / sample.items)]],
			atMost(1),
		),
	];
}

/**
 * A workflow for each runner: webhook, contacts, its node, and what it cost as the answer of the webhook. Gives what runs
 * it for people, of whom so many are not held back.
 */
export async function prepareLists(
	{ client, simulator, untilReady }: Rig,
	runners: readonly RunnerId[],
	nodeOf: (runner: RunnerId) => INode,
) {
	const urls = new Map<RunnerId, string>();
	for (const runner of runners) {
		// As a list that is to be finished.
		const nodes = [clock('begin'), { ...nodeOf(runner), ...CONTINUE }, clock('end')];
		urls.set(runner, (await behindWebhook(client, nameOf(runner), nodes, 'lastNode')).url);
	}
	return async (
		runner: RunnerId,
		people: readonly string[],
		called = people.length,
		latencyMs = 0,
	): Promise<Sample> => {
		prepare(simulator, null, latencyMs);
		await untilReady();
		const body = { people, ...SENDER };
		const options = { proxy: false as const, timeout: RUN_WITHIN_MS, validateStatus: () => true };
		const { status, data } = await axios.post<Ended>(urls.get(runner) ?? '', body, options);
		const cost = status === 200 ? data.cost : undefined;
		return { items: people.length, cost, ...outcomeOf(simulator.requests, called) };
	};
}

/** Lists of items. */
export async function measureItems(rig: Rig, isQuick: boolean): Promise<Report> {
	const sender = { assistantId: '={{ $json.assistantId }}', fromNumber: '={{ $json.from }}' };
	const run = await prepareLists(rig, RUNNERS, (runner) =>
		runnerNode(runner, rig, '={{ $json.to }}', sender),
	);
	for (const runner of [...RUNNERS, ...RUNNERS]) await run(runner, newNumbers(WARM_UP_ITEMS));
	const measured: Measurement[] = [];
	// Quickly: whether everything works.
	for (const [items, latencyMs, rounds] of isQuick ? SCENARIOS.slice(0, 1) : SCENARIOS) {
		const table = {
			title: `${count(items)} items, 3 expression fields, ${latencyMs} ms latency`,
			...{ rounds, runners: RUNNERS, nameOf, columns: COLUMNS },
			run: async (runner: RunnerId) => await run(runner, newNumbers(items), items, latencyMs),
		};
		measured.push({ items, latencyMs, ...(await measureTable(table)) });
	}
	const figures = measured.map((one) => one.figures).join('\n\n');
	return { part: 'measured', targets: targetsOf(measured), figures };
}
