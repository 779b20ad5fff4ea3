import type { INode } from 'n8n-workflow';
import { recipientOf } from '../../test/simulator/recipient';
import { CONTINUE } from '../e2e/world';
import { post } from '../post';
import type { Cost } from './BenchClock.node';
import { ratioOf, show, spreadOf, type Figure } from './figures';
import { measureTable, spreadTarget, type Measured, type Report, type Target } from './report';
import { clock, type Rig } from './rig';
import { behindWebhook, contactsOf, FROM_ITEM, httpRequestNode, newNumbers } from './workflows';
import { outcomeOf, serviceNode, type Outcome } from './workflows';

/** Lists of calls, each answered after this time. */
const SCENARIOS = [
	{ items: 100, latencyMs: 0, rounds: 3 },
	{ items: 1500, latencyMs: 0, rounds: 5 },
	{ items: 5000, latencyMs: 0, rounds: 2 },
	{ items: 20_000, latencyMs: 0, rounds: 1 },
	{ items: 1000, latencyMs: 100, rounds: 2 },
];
const WARM_UP_ITEMS = 300;

export interface Sample extends Outcome {
	items: number;
	/** Absent if the run failed as a whole. */
	cost?: Cost;
	/** How many requests the service had at once. */
	inFlight: number;
}

type Runner = 'this node' | 'HTTP Request';

interface Measurement extends Measured<Runner, Sample> {
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
const inFlight: Figure<Sample> = (sample) => sample.inFlight;

export const FIGURES: Readonly<Record<string, Figure<Sample>>> = {
	'ms per item': perItem,
	'longest freeze, ms': freeze,
	'of it busy, ms': cost('busyMilliseconds'),
	'heap, MB': heap,
	'delivered once': ({ once }) => once,
	twice: ({ moreThanOnce }) => moreThanOnce,
	lost: ({ lost }) => lost,
	'in flight': inFlight,
};

/** The promises that these measurements can decide, most by how many times as much one runner takes as the other. */
function targetsOf(all: readonly Measurement[]): Target[] {
	const sizes = all.filter(({ latencyMs }) => latencyMs === 0);
	const slow = all.filter(({ latencyMs }) => latencyMs > 0);
	const ratio =
		(over: Runner, under: Runner, figure: Figure<Sample>) =>
		({ items, samples }: Measurement) =>
			[show(items), ratioOf(samples[over], samples[under], figure)] as const;
	const ofNode =
		(figure: Figure<Sample>) =>
		({ items, samples }: Measurement) =>
			[show(items), spreadOf(samples['this node'].map(figure))] as const;
	const [small = [], large = []] = sizes.slice(-2).map(({ samples }) => samples['this node']);
	const heapPerItem: Figure<Sample> = (sample) => heap(sample) / sample.items;
	return [
		spreadTarget(
			'At least 1.5 times as fast as HTTP Request',
			sizes.map(ratio('HTTP Request', 'this node', perItem)),
			({ median }) => median >= 1.5,
		),
		spreadTarget(
			"Longest freeze below HTTP Request's (ratio below 1)",
			sizes.map(ratio('this node', 'HTTP Request', freeze)),
			({ median }) => median < 1,
		),
		spreadTarget(
			'Longest freeze in ms, at any number of items, at most 100',
			sizes.map(ofNode(freeze)),
			({ max }) => max <= 100,
		),
		spreadTarget(
			'100 ms latency: not slower than HTTP Request (at least 1)',
			slow.map(ratio('HTTP Request', 'this node', perItem)),
			({ median }) => median >= 1,
		),
		spreadTarget(
			'The same: at most 50 requests in flight',
			slow.map(ofNode(inFlight)),
			({ max }) => max <= 50,
		),
		spreadTarget(
			"Peak memory not more than HTTP Request's (at most 1)",
			sizes.slice(-1).map(ratio('this node', 'HTTP Request', heap)),
			({ median }) => median <= 1,
		),
		spreadTarget(
			'Memory for each item: at most that of the size before',
			[['', ratioOf(large, small, heapPerItem)]],
			({ median }) => median <= 1,
		),
	];
}

/** A workflow that calls a list by this node. Gives what runs it for people, of whom these are to be called. */
export async function createList({ client, simulator, n8n }: Rig, calling: INode) {
	// As a list that is to be finished.
	const nodes = [clock('begin'), { ...calling, ...CONTINUE }, clock('end')];
	const { url } = await behindWebhook(client, nodes);
	return async (people: readonly string[], latencyMs = 0, toBeCalled = people): Promise<Sample> => {
		simulator.setTraffic({ latencyMs, requestsPerSecond: null });
		simulator.reset();
		// After a long freeze, n8n takes its database for lost.
		await n8n.ready();
		const { status, data } = await post(url, { items: contactsOf(people) });
		const called = simulator.processed('placeCall').map(recipientOf);
		return {
			items: people.length,
			...(status === 200 && { cost: data as Cost }),
			...outcomeOf(toBeCalled, called),
			inFlight: Math.max(0, ...simulator.requests.map((request) => request.inFlight)),
		};
	};
}

/** Lists of items. */
export async function measureItems(rig: Rig, isQuick: boolean): Promise<Report> {
	const byNode = await createList(rig, serviceNode(rig, FROM_ITEM));
	const byHttpRequest = await createList(rig, httpRequestNode(rig, FROM_ITEM));
	for (const run of [byNode, byHttpRequest, byNode, byHttpRequest])
		await run(newNumbers(WARM_UP_ITEMS));
	const all: Measurement[] = [];
	// Quickly: whether everything works.
	for (const { items, latencyMs, rounds } of isQuick ? SCENARIOS.slice(0, 1) : SCENARIOS) {
		const measured = await measureTable({
			title: `${show(items)} items, 3 expression fields, ${latencyMs} ms latency`,
			rounds,
			runners: {
				'this node': async () => await byNode(newNumbers(items), latencyMs),
				'HTTP Request': async () => await byHttpRequest(newNumbers(items), latencyMs),
			},
			figures: FIGURES,
		});
		all.push({ items, latencyMs, ...measured });
	}
	const figures = all.map((measurement) => measurement.figures).join('\n\n');
	return { part: 'measured', targets: targetsOf(all), figures };
}
