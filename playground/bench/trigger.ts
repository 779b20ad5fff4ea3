import { randomUUID } from 'node:crypto';
import { eventually } from '../eventually';
import { inParallel } from '../parallel';
import type { N8nClient } from '../rest';
import { WEBHOOK_HEADER, WEBHOOK_SECRET } from '../setup';
import type { Started } from '../started';
import { chain, createActive, node } from '../workflows';
import { count, percentile, ratioOf, sum, type Figure } from './figures';
import type { Cost } from './nodes/probe';
import { openN8n } from './package';
import { atLeast, measureTable, middle, spreadTarget, times, whole } from './report';
import type { Column, Measured, Report, Target } from './report';
import { clock } from './runners';
import { createTally, NOT_KEPT, type Tally } from './workflows';

/** The same deliveries to both runners, in turn; so many events for each of them in a round. */
type Cell = readonly [size: keyof typeof SIZES, connections: number, deliveries: number];

/** What is measured in one n8n. */
interface Part {
	title: string;
	/** n8n's settings. */
	settings: Readonly<Record<string, string>>;
	cells: readonly Cell[];
	rounds: number;
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
	...{ title: 'n8n as it comes', settings: {}, rounds: 5 },
	cells: cells(80, 300, 60),
};
/** n8n makes isolates for expressions only when there is an expression. */
const LAZY: Part = {
	title: 'n8n with lazy isolates',
	settings: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
	cells: cells(150, 500, 120),
	rounds: 5,
};
/** Whether everything works, and each event is executed once. */
const QUICK: Part = { ...LAZY, cells: LAZY.cells.slice(0, 2), rounds: 1 };

const MIN_RATIO = 0.95;
const ANSWERED_WITHIN_MS = 300_000;
const EXECUTED_WITHIN_MS = 60_000;

/** Who takes the events, by their names in the report. */
const NAMES = { webhook: 'Webhook', trigger: 'this trigger' } as const;
type RunnerId = keyof typeof NAMES;
const RUNNERS = Object.keys(NAMES) as RunnerId[];

/** An event as it is posted. */
interface Event {
	/** A property of its own, by which an execution is recognised. */
	reference: string;
	body: () => Buffer;
}

const TURN = {
	speaker: 'assistant',
	at: 12.5,
	text: 'We could do Tuesday at nine or Thursday at half past two; which of them suits you better?',
};

/**
 * Makes events, each different from all others ever made.
 *
 * @param transcriptBytes about how many bytes the transcript of each has; it is kept once for all of them
 */
function eventMaker(transcriptBytes: number): () => Event {
	const turns = Math.ceil(transcriptBytes / JSON.stringify(TURN).length);
	const transcript = Array.from({ length: turns }, (_, index) => ({ ...TURN, at: index * 12.5 }));
	const summary = 'The customer has booked an appointment and wants to be reminded by SMS.';
	const appointment = '2026-02-03T09:00';
	const rest = JSON.stringify({ transcript, summary, appointment, customerIsNew: true });
	const end = Buffer.from(`,${rest.slice(1)}`);
	const callStartTime = new Date().toISOString();
	return () => {
		const reference = randomUUID();
		const head = JSON.stringify({ callId: reference, callStartTime, reference });
		return { reference, body: () => Buffer.concat([Buffer.from(head.slice(0, -1)), end]) };
	};
}

/** What became of the deliveries of one run. */
interface Sample {
	deliveries: number;
	executedOnce: number;
	executedTwice: number;
	lost: number;
	/** Deliveries that were not answered with 200. */
	refused: number;
	deliveriesPerSecond: number;
	/** The time to the answer of each delivery. */
	milliseconds: number[];
	cost: Cost;
}

/** A workflow of two nodes for each runner: what starts it, and what counts it. Gives where to post. */
async function createRunners(client: N8nClient): Promise<Record<RunnerId, string>> {
	const assistantServiceApi = await client.saveCredential('assistantServiceApi', 'Bench', {
		webhookSecret: WEBHOOK_SECRET,
		webhookHeader: WEBHOOK_HEADER,
	});
	const secret = { name: WEBHOOK_HEADER, value: WEBHOOK_SECRET };
	const httpHeaderAuth = await client.saveCredential('httpHeaderAuth', 'Bench', secret);
	const path = randomUUID();
	const posted = { httpMethod: 'POST', path, authentication: 'headerAuth' };
	const type = 'n8n-nodes-assistant-service.assistantServiceTrigger';
	const starts = {
		trigger: node(type, 'Start', {}, { typeVersion: 1.1, credentials: { assistantServiceApi } }),
		webhook: node(
			'n8n-nodes-base.webhook',
			'Start',
			{ ...posted, responseMode: 'onReceived' },
			{ typeVersion: 2.1, credentials: { httpHeaderAuth }, webhookId: path },
		),
	};
	const urlOf = async (runner: RunnerId, suffix: string) => {
		const start = starts[runner];
		const served = `/webhook/${start.webhookId ?? ''}${suffix}`;
		const draft = { name: NAMES[runner], ...chain(start, clock('seen')), settings: NOT_KEPT };
		await createActive(client, draft, () => served);
		return `${client.baseUrl}${served}`;
	};
	return { trigger: await urlOf('trigger', '/webhook'), webhook: await urlOf('webhook', '') };
}

/** Delivers the events in their order over so many connections, and waits until those that were accepted were executed. */
async function deliver(
	url: string,
	tally: Tally,
	events: readonly Event[],
	connections: number,
): Promise<Sample> {
	const headers = { 'content-type': 'application/json', [WEBHOOK_HEADER]: WEBHOOK_SECRET };
	await tally.begin();
	const before = performance.now();
	const answers = await inParallel(events, connections, async ({ body }) => {
		const startedAt = performance.now();
		const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
		// Without an answer, the status is 0.
		const status = await fetch(url, { method: 'POST', headers, body: body(), signal })
			.then(async (response) => {
				await response.text();
				return response.status;
			})
			.catch(() => 0);
		return { status, milliseconds: performance.now() - startedAt };
	});
	const seconds = (performance.now() - before) / 1000;
	const accepted = answers.filter(({ status }) => status === 200).length;
	const ask = async () => ((await tally.executed()) >= accepted ? true : undefined);
	// What was lost shows in the counts.
	await eventually(`${accepted} executions`, ask, EXECUTED_WITHIN_MS).catch(() => undefined);
	const { cost, counts } = await tally.end();
	const executions = new Map(counts);
	const executed = events.map(({ reference }) => executions.get(reference) ?? 0);
	return {
		deliveries: events.length,
		executedOnce: executed.filter((often) => often === 1).length,
		executedTwice: executed.filter((often) => often > 1).length,
		lost: executed.filter((often) => often === 0).length,
		refused: events.length - accepted,
		deliveriesPerSecond: events.length / seconds,
		milliseconds: answers.map(({ milliseconds }) => milliseconds),
		cost,
	};
}

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

/** What was measured in a cell of a part. */
type MeasuredCell = Measured<RunnerId, Sample> & { cell: string };

async function measurePart(started: Started, part: Part): Promise<MeasuredCell[]> {
	const { client, n8n } = await openN8n(started, part.settings);
	const urls = await createRunners(client);
	const tally = await createTally(client);
	const measureCell = async ([size, connections, deliveries]: Cell, rounds: number) => {
		const make = eventMaker(SIZES[size]);
		const cell = `${size}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;
		const table = {
			title: `${part.title}: ${cell}, ${deliveries} events`,
			...{ rounds, runners: RUNNERS, columns: COLUMNS },
			nameOf: (runner: RunnerId) => NAMES[runner],
			run: async (runner: RunnerId) =>
				await deliver(urls[runner], tally, Array.from({ length: deliveries }, make), connections),
		};
		return { cell, ...(await measureTable(table)) };
	};
	for (const one of WARM_UPS) await measureCell(one, WARM_UP_ROUNDS);
	const measured: MeasuredCell[] = [];
	for (const one of part.cells) measured.push(await measureCell(one, part.rounds));
	await n8n.stop();
	return measured;
}

/** How many events were executed how often: what must hold in every run, however fast or slow it was. */
function exactTarget(samples: readonly Sample[]): Target {
	const total = (name: 'deliveries' | 'executedOnce' | 'executedTwice' | 'lost' | 'refused') =>
		sum(samples.map((sample) => sample[name]));
	const events = total('deliveries');
	return {
		promise: 'In all of these: none lost, none doubled',
		measured: `${count(events)} events: ${count(total('executedOnce'))} executed once, ${count(total('executedTwice'))} twice, ${count(total('lost'))} lost`,
		isMet: total('executedOnce') === events && total('refused') === 0,
	};
}

/** The trigger beside n8n's own Webhook node; wrong if an event was lost, doubled or refused. */
export async function measureTrigger(started: Started, isQuick: boolean): Promise<Report> {
	const all: MeasuredCell[] = [];
	const ratios: Target[] = [];
	for (const part of isQuick ? [QUICK] : [AS_IT_COMES, LAZY]) {
		const measured = await measurePart(started, part);
		all.push(...measured);
		ratios.push(
			spreadTarget(
				`${part.title}: at least ${MIN_RATIO} times the deliveries of Webhook per second`,
				measured.map(({ cell, samplesOf }) => [
					cell,
					ratioOf(samplesOf('trigger'), samplesOf('webhook'), perSecond),
				]),
				atLeast(MIN_RATIO),
			),
		);
	}
	const exact = exactTarget(all.flatMap(({ samplesOf }) => samplesOf('trigger')));
	return {
		part: 'trigger measured',
		targets: [...ratios, exact],
		figures: all.map(({ figures }) => figures).join('\n\n'),
		isWrong: !exact.isMet,
	};
}
