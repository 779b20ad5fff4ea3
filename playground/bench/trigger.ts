import type { INode } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { eventually } from '../eventually';
import { inParallel } from '../parallel';
import type { N8nClient } from '../rest';
import { WEBHOOK_HEADER, WEBHOOK_SECRET, webhookPath } from '../setup';
import type { Started } from '../started';
import { chain, createActive, node } from '../workflows';
import { count, ratioOf, sum, type Figure } from './figures';
import { openN8n } from './package';
import { atLeast, measureTable, middle, spreadTarget, times, whole } from './report';
import type { Column, Measured, Report, Target } from './report';
import { clock } from './runners';
import { createTally, NOT_KEPT, type Tally } from './workflows';

/** The same deliveries to both runners, in turn; so many events for each of them in a round. */
type Cell = readonly [size: keyof typeof SIZES, connections: number, deliveries: number];

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
const CELLS: readonly Cell[] = [
	['1 KB', 1, 150],
	['1 KB', 50, 500],
	['1 MB', 1, 120],
	['1 MB', 50, 200],
];
const ROUNDS = 5;

type Part = readonly [title: string, settings: Readonly<Record<string, string>>];

/** Each n8n that is measured, and its settings. The last one makes isolates for expressions only when there is one. */
const PARTS: readonly Part[] = [
	['n8n as it comes', {}],
	['n8n with lazy isolates', { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }],
];

const MIN_RATIO = 0.95;
const ANSWERED_WITHIN_MS = 300_000;
const EXECUTED_WITHIN_MS = 60_000;

/** Who takes the events, by their names in the report. */
const NAMES = { webhook: 'Webhook', trigger: 'this trigger' } as const;
type RunnerId = keyof typeof NAMES;
const RUNNERS = Object.keys(NAMES) as RunnerId[];

const TURN = {
	speaker: 'assistant',
	at: 12.5,
	text: 'We could do Tuesday at nine or Thursday at half past two; which of them suits you better?',
};

/**
 * Makes the bodies of events, each by the ID of its call.
 *
 * @param transcriptBytes about how many bytes the transcript of each has; it is kept once for all of them
 */
function bodyMaker(transcriptBytes: number): (callId: string) => Buffer {
	const turns = Math.ceil(transcriptBytes / JSON.stringify(TURN).length);
	const transcript = Array.from({ length: turns }, (_, index) => ({ ...TURN, at: index * 12.5 }));
	const summary = 'The customer has booked an appointment and wants to be reminded by SMS.';
	const appointment = '2026-02-03T09:00';
	const rest = JSON.stringify({ transcript, summary, appointment, customerIsNew: true });
	const end = Buffer.from(`,${rest.slice(1)}`);
	const callStartTime = new Date().toISOString();
	return (callId) => {
		const head = JSON.stringify({ callId, callStartTime });
		return Buffer.concat([Buffer.from(head.slice(0, -1)), end]);
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
	const trigger = node(
		'n8n-nodes-assistant-service.assistantServiceTrigger',
		'Start',
		{},
		{ typeVersion: 1.1, credentials: { assistantServiceApi } },
	);
	const webhook = node(
		'n8n-nodes-base.webhook',
		'Start',
		{ ...posted, responseMode: 'onReceived' },
		{ typeVersion: 2.1, credentials: { httpHeaderAuth } },
	);
	const urlOf = async (name: string, start: INode, served: string) => {
		const draft = { name, ...chain(start, clock('seen')), settings: NOT_KEPT };
		await createActive(client, draft, () => served);
		return `${client.baseUrl}${served}`;
	};
	return {
		trigger: await urlOf(NAMES.trigger, trigger, webhookPath(trigger)),
		webhook: await urlOf(NAMES.webhook, webhook, `/webhook/${path}`),
	};
}

/** Delivers so many events over so many connections, and waits until those that were accepted were executed. */
async function deliver(
	url: string,
	tally: Tally,
	bodyOf: (callId: string) => Buffer,
	connections: number,
	deliveries: number,
): Promise<Sample> {
	const headers = { 'content-type': 'application/json', [WEBHOOK_HEADER]: WEBHOOK_SECRET };
	const callIds = Array.from({ length: deliveries }, () => randomUUID());
	await tally.begin();
	const before = performance.now();
	const statuses = await inParallel(callIds, connections, async (callId) => {
		const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
		try {
			const answer = await fetch(url, { method: 'POST', headers, body: bodyOf(callId), signal });
			await answer.text();
			return answer.status;
		} catch {
			// Without an answer it counts as refused.
			return 0;
		}
	});
	const seconds = (performance.now() - before) / 1000;
	const accepted = statuses.filter((status) => status === 200).length;
	const ask = async () => ((await tally.executed()) >= accepted ? true : undefined);
	// What was lost shows in the counts.
	await eventually(`${accepted} executions`, ask, EXECUTED_WITHIN_MS).catch(() => undefined);
	const executions = new Map((await tally.end()).counts);
	const executed = callIds.map((callId) => executions.get(callId) ?? 0);
	return {
		deliveries,
		executedOnce: executed.filter((often) => often === 1).length,
		executedTwice: executed.filter((often) => often > 1).length,
		lost: executed.filter((often) => often === 0).length,
		refused: deliveries - accepted,
		deliveriesPerSecond: deliveries / seconds,
	};
}

const perSecond: Figure<Sample> = ({ deliveriesPerSecond }) => deliveriesPerSecond;

const COLUMNS: readonly Column<Sample>[] = [
	middle('deliveries per second', perSecond, 1),
	times('× Webhook', perSecond),
	whole('executed once', ({ executedOnce }) => executedOnce, 'sum'),
	whole('twice', ({ executedTwice }) => executedTwice, 'sum'),
	whole('lost', ({ lost }) => lost, 'sum'),
];

/** What was measured in a cell of a part. */
type MeasuredCell = Measured<RunnerId, Sample> & { cell: string };

async function measurePart(
	started: Started,
	[part, settings]: Part,
	isQuick: boolean,
): Promise<MeasuredCell[]> {
	const { client, n8n } = await openN8n(started, settings);
	const urls = await createRunners(client);
	const tally = await createTally(client);
	const measureCell = async ([size, connections, deliveries]: Cell, rounds: number) => {
		const bodyOf = bodyMaker(SIZES[size]);
		const cell = `${size}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;
		const table = {
			title: `${part}: ${cell}, ${deliveries} events`,
			...{ rounds, runners: RUNNERS, columns: COLUMNS },
			nameOf: (runner: RunnerId) => NAMES[runner],
			run: async (runner: RunnerId) =>
				await deliver(urls[runner], tally, bodyOf, connections, deliveries),
		};
		return { cell, ...(await measureTable(table)) };
	};
	for (const one of WARM_UPS) await measureCell(one, WARM_UP_ROUNDS);
	const measured: MeasuredCell[] = [];
	for (const one of isQuick ? CELLS.slice(0, 2) : CELLS)
		measured.push(await measureCell(one, isQuick ? 1 : ROUNDS));
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
	for (const part of PARTS.slice(isQuick ? -1 : 0)) {
		const measured = await measurePart(started, part, isQuick);
		all.push(...measured);
		ratios.push(
			spreadTarget(
				`${part[0]}: at least ${MIN_RATIO} times the deliveries of Webhook per second`,
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
