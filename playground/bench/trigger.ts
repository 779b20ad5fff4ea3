import { count, percentile, ratioOf, show, sum, type Figure } from './figures';
import { eventMaker, withRepeats, type Counts } from './deliveries';
import {
	middle,
	section,
	spreadTarget,
	whole,
	type Column,
	type Report,
	type Target,
} from './report';
import { inRounds, of, type Rounds } from './rounds';
import type { Session } from './session';
import { createRunners, NAMES, run, RUNNERS, type RunnerId, type Sample } from './triggerRuns';
import { createTally } from './workflows';

/** The same deliveries to both runners, in turn. */
interface Cell {
	title: string;
	transcriptBytes: number;
	connections: number;
	/** How many events each runner gets in a round. */
	deliveries: number;
}

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
	cells: (Cell & { samples: Rounds<RunnerId, Sample> })[];
	repeats?: Sample;
}

/** Bytes of a transcript. */
const [SMALL, LARGE] = [600, 1_000_000] as const;

const cell = (transcriptBytes: number, connections: number, deliveries: number): Cell => {
	const size = transcriptBytes === SMALL ? '1 KB' : '1 MB';
	const title = `${size}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;
	return { title, transcriptBytes, connections, deliveries };
};

/** Deliveries of 1 KB over 1 and over 50 connections, of 1 MB over 1, and 200 of 1 MB over 50. */
const cells = (small: number, smallAtOnce: number, large: number): readonly Cell[] => [
	cell(SMALL, 1, small),
	cell(SMALL, 50, smallAtOnce),
	cell(LARGE, 1, large),
	cell(LARGE, 50, 200),
];

/** So that everything is compiled; not reported. */
const WARM_UPS = [cell(SMALL, 10, 40), cell(LARGE, 10, 40)];
const WARM_UP_ROUNDS = 2;

/** n8n makes isolates for expressions only when there is an expression. */
const LAZY = {
	title: 'n8n with lazy isolates',
	settings: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
	hasRepeats: true,
};

/**
 * A run takes some seconds, so that short disturbances count for little. With 50 connections the first 50 events of a
 * run wait for each other, and at the end fewer and fewer are under way; a run has several times as many, so that it
 * shows the time between.
 */
const PARTS: readonly Part[] = [
	{
		title: 'n8n as it comes',
		settings: {},
		cells: cells(80, 300, 60),
		rounds: 8,
		hasRepeats: false,
	},
	{ ...LAZY, cells: cells(150, 500, 120), rounds: 8 },
];

/** Whether everything works, and each of 10,000 events is executed once, in about two minutes. */
const QUICK_PARTS: readonly Part[] = [
	{ ...LAZY, cells: [cell(SMALL, 1, 20), cell(SMALL, 50, 50), cell(LARGE, 50, 50)], rounds: 1 },
];

const REPEATS = { deliveries: 10_000, share: 0.3, connections: 50 };
const MIN_RATIO = 0.95;

const perSecond: Figure<Sample> = ({ deliveriesPerSecond }) => deliveriesPerSecond;

const COLUMNS: readonly Column<Sample>[] = [
	middle('deliveries per second', perSecond, 1),
	[
		'× Webhook',
		(samples, webhook) =>
			samples === webhook ? '' : show(ratioOf(samples, webhook, perSecond), 2),
	],
	middle('half answered within, ms', ({ milliseconds }) => percentile(milliseconds, 0.5), 0),
	[
		'99 % within, ms',
		(samples) =>
			percentile(
				samples.flatMap(({ milliseconds }) => milliseconds),
				0.99,
			).toFixed(0),
	],
	middle(
		'processor, ms per delivery',
		({ cost, deliveries }) => cost.cpuMilliseconds / deliveries,
		1,
	),
	whole('executed once', ({ executedOnce }) => executedOnce, 'sum'),
	whole('twice', ({ executedTwice }) => executedTwice, 'sum'),
	whole('lost', ({ lost }) => lost, 'sum'),
];

async function measurePart(session: Session, part: Part): Promise<Measured> {
	const { client, n8n } = await session.open({ settings: part.settings });
	const urls = await createRunners(client);
	const tally = await createTally(client);
	const measureCell = async (
		{ title, transcriptBytes, connections, deliveries }: Cell,
		rounds: number,
	) => {
		const make = eventMaker(transcriptBytes);
		return await inRounds(
			[rounds, rounds],
			RUNNERS,
			async (runner) =>
				await run(urls[runner], tally, Array.from({ length: deliveries }, make), connections),
			(line) => {
				session.say(`${title}, ${line}`);
			},
			(sample, runner) => `${runner} ${perSecond(sample).toFixed(1)}/s`,
		);
	};
	for (const one of WARM_UPS) await measureCell(one, WARM_UP_ROUNDS);
	const measured: Measured['cells'] = [];
	for (const one of part.cells)
		measured.push({ ...one, samples: await measureCell(one, part.rounds) });
	const { deliveries, share, connections } = REPEATS;
	const repeats = part.hasRepeats
		? await run(urls.trigger, tally, withRepeats(eventMaker(SMALL), deliveries, share), connections)
		: undefined;
	await n8n.stop();
	return { part, cells: measured, repeats };
}

/** How many events were executed how often: what must hold in every run, however fast or slow it was. */
function exactTarget(promise: string, samples: readonly Sample[], repeats?: number): Target {
	const total = (name: keyof Counts): number => sum(samples.map((sample) => sample[name]));
	const asRepeats =
		repeats === undefined ? '' : `; ${count(total('answeredAsRepeat'))} answered as repeats`;
	return {
		promise,
		measured: `${count(total('events'))} events: ${count(total('executedOnce'))} executed once, ${count(total('executedTwice'))} twice, ${count(total('lost'))} lost${asRepeats}`,
		isMet:
			total('executedOnce') === total('events') &&
			total('refused') === 0 &&
			(repeats === undefined || total('answeredAsRepeat') === repeats),
	};
}

/** The trigger beside n8n's own Webhook node; wrong if an event was lost, doubled or refused. */
export async function measureTrigger(session: Session, isQuick: boolean): Promise<Report> {
	const all: Measured[] = [];
	for (const part of isQuick ? QUICK_PARTS : PARTS) all.push(await measurePart(session, part));
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
	const exact = [
		exactTarget('In all of these: none lost, none doubled', own),
		...all.flatMap(({ repeats }) => {
			if (!repeats) return [];
			const { deliveries, events } = repeats;
			const promise = `${count(deliveries)} deliveries, ${count(deliveries - events)} of them repeats: one execution for each event`;
			return [exactTarget(promise, [repeats], deliveries - events)];
		}),
	];
	const figures = all.flatMap(({ part, cells }) =>
		cells.map(({ title, deliveries, samples }) =>
			section(
				`${part.title}: ${title}, ${part.rounds} rounds of ${deliveries} events`,
				COLUMNS,
				RUNNERS.map((runner) => [NAMES[runner], of(samples, runner)]),
				of(samples, 'webhook'),
			),
		),
	);
	return {
		part: 'trigger measured',
		targets: [...ratios, ...exact],
		figures: figures.join('\n\n'),
		isWrong: exact.some(({ isMet }) => !isMet),
	};
}
