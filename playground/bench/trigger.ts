import type { Started } from '../started';
import { count, percentile, ratioOf, sum, type Figure } from './figures';
import {
	createRunners,
	eventMaker,
	NAMES,
	run,
	RUNNERS,
	withRepeats,
	type RunnerId,
	type Sample,
} from './deliveries';
import { openN8n } from './package';
import {
	middle,
	spreadTarget,
	times,
	whole,
	type Column,
	type Report,
	type Target,
} from './report';
import { measureTable, of, type Rounds } from './rounds';
import { createTally } from './workflows';

/** The same deliveries to both runners, in turn; so many events for each of them in a round. */
type Cell = readonly [size: keyof typeof SIZES, connections: number, deliveries: number];

/** What is measured in one n8n. */
interface Part {
	title: string;
	/** n8n's settings. */
	settings: Readonly<Record<string, string>>;
	cells: readonly Cell[];
	rounds: number;
	/** Whether deliveries that repeat earlier ones are measured too. */
	hasRepeats: boolean;
}

interface Measured {
	part: Part;
	cells: { title: string; samples: Rounds<RunnerId, Sample>; figures: string }[];
	repeats?: Sample;
}

/** Bytes of a transcript, by the size of its event. */
const SIZES = { '1 KB': 600, '1 MB': 1_000_000 };

/** So that everything is compiled; not reported. */
const WARM_UPS: readonly Cell[] = [
	['1 KB', 10, 40],
	['1 MB', 10, 40],
];
const WARM_UP_ROUNDS = 2;

/**
 * A run takes some seconds, so that short disturbances count for little. With 50 connections the first 50 events of a
 * run wait for each other, and at the end fewer and fewer are under way; a run has several times as many, so that it
 * shows the time between.
 */
const cells = (small: number, smallAtOnce: number, large: number): readonly Cell[] => [
	['1 KB', 1, small],
	['1 KB', 50, smallAtOnce],
	['1 MB', 1, large],
	['1 MB', 50, 200],
];
const AS_IT_COMES: Part = {
	...{ title: 'n8n as it comes', settings: {}, hasRepeats: false },
	cells: cells(80, 300, 60),
	rounds: 5,
};
/** n8n makes isolates for expressions only when there is an expression. */
const LAZY: Part = {
	title: 'n8n with lazy isolates',
	settings: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
	hasRepeats: true,
	cells: cells(150, 500, 120),
	rounds: 5,
};
/** Whether everything works, and each of 10,000 events is executed once. */
const QUICK: Part = { ...LAZY, cells: LAZY.cells.slice(0, 2), rounds: 1 };

const REPEATS = { deliveries: 10_000, repeats: 3_000, connections: 50 };
const MIN_RATIO = 0.95;

const perSecond: Figure<Sample> = ({ deliveriesPerSecond }) => deliveriesPerSecond;
const slowest = (samples: readonly Sample[]): number =>
	percentile(
		samples.flatMap(({ milliseconds }) => milliseconds),
		0.99,
	);

const COLUMNS: readonly Column<Sample>[] = [
	middle('deliveries per second', perSecond, 1),
	times('× Webhook', perSecond),
	middle('half answered within, ms', ({ milliseconds }) => percentile(milliseconds, 0.5), 0),
	['99 % within, ms', (samples) => slowest(samples).toFixed(0)],
	middle('processor, ms per delivery', (one) => one.cost.cpuMilliseconds / one.deliveries, 1),
	whole('executed once', ({ executedOnce }) => executedOnce, 'sum'),
	whole('twice', ({ executedTwice }) => executedTwice, 'sum'),
	whole('lost', ({ lost }) => lost, 'sum'),
];

async function measurePart(started: Started, part: Part): Promise<Measured> {
	const { client, n8n } = await openN8n(started, part.settings);
	const urls = await createRunners(client);
	const tally = await createTally(client);
	const measureCell = async ([size, connections, deliveries]: Cell, rounds: number) => {
		const make = eventMaker(SIZES[size]);
		const title = `${size}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;
		const table = {
			title: `${part.title}: ${title}, ${rounds} rounds of ${deliveries} events`,
			...{ rounds, runners: RUNNERS, columns: COLUMNS, comparedWith: () => 'webhook' as const },
			nameOf: (runner: RunnerId) => NAMES[runner],
			run: async (runner: RunnerId) =>
				await run(urls[runner], tally, Array.from({ length: deliveries }, make), connections),
		};
		return { title, ...(await measureTable(table)) };
	};
	for (const one of WARM_UPS) await measureCell(one, WARM_UP_ROUNDS);
	const measured: Measured['cells'] = [];
	for (const one of part.cells) measured.push(await measureCell(one, part.rounds));
	const { deliveries, repeats, connections } = REPEATS;
	const events = withRepeats(eventMaker(SIZES['1 KB']), deliveries, repeats);
	const repeated = part.hasRepeats && (await run(urls.trigger, tally, events, connections));
	await n8n.stop();
	return { part, cells: measured, ...(repeated && { repeats: repeated }) };
}

/** How many events were executed how often: what must hold in every run, however fast or slow it was. */
function exactTarget(promise: string, samples: readonly Sample[], repeats?: number): Target {
	const total = (name: 'events' | 'executedOnce' | 'executedTwice' | 'lost' | 'refused') =>
		sum(samples.map((sample) => sample[name]));
	const asRepeats = sum(samples.map(({ answeredAsRepeat }) => answeredAsRepeat));
	const told = repeats === undefined ? '' : `; ${count(asRepeats)} answered as repeats`;
	return {
		promise,
		measured: `${count(total('events'))} events: ${count(total('executedOnce'))} executed once, ${count(total('executedTwice'))} twice, ${count(total('lost'))} lost${told}`,
		isMet:
			total('executedOnce') === total('events') &&
			total('refused') === 0 &&
			(repeats === undefined || asRepeats === repeats),
	};
}

/** The trigger beside n8n's own Webhook node; wrong if an event was lost, doubled or refused. */
export async function measureTrigger(started: Started, isQuick: boolean): Promise<Report> {
	const all: Measured[] = [];
	const parts = isQuick ? [QUICK] : [AS_IT_COMES, LAZY];
	for (const part of parts) all.push(await measurePart(started, part));
	const ratios = all.map(({ part, cells }) =>
		spreadTarget(
			`${part.title}: at least ${MIN_RATIO} times the deliveries of Webhook per second`,
			cells.map(({ title, samples }) => [
				title,
				ratioOf(of(samples, 'trigger'), of(samples, 'webhook'), perSecond),
			]),
			2,
			({ median }) => median >= MIN_RATIO,
		),
	);
	const own = all.flatMap(({ cells }) => cells.flatMap(({ samples }) => of(samples, 'trigger')));
	const repeated = all.flatMap(({ repeats }) => repeats ?? []);
	const { deliveries, repeats } = REPEATS;
	const promise = `${count(deliveries)} deliveries, ${count(repeats)} of them repeats: one execution for each event`;
	const exact = [
		exactTarget('In all of these: none lost, none doubled', own),
		...(repeated.length > 0 ? [exactTarget(promise, repeated, repeats)] : []),
	];
	return {
		part: 'trigger measured',
		targets: [...ratios, ...exact],
		figures: all.flatMap(({ cells }) => cells.map((one) => one.figures)).join('\n\n'),
		isWrong: exact.some(({ isMet }) => !isMet),
	};
}
