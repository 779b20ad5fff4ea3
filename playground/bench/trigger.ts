import type { INode } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { eventually } from '../eventually';
import { inParallel } from '../parallel';
import { WEBHOOK_HEADER, WEBHOOK_SECRET, webhookPath } from '../setup';
import type { Started } from '../started';
import { chain, createActive, node } from '../workflows';
import { ratioOf, type Figure } from './figures';
import { exactTarget, measureTable, spreadTarget, type Report, type Target } from './report';
import { clock, openRig, type Rig } from './rig';
import { createTally, NOT_KEPT, outcomeOf, type Outcome, type Tally } from './workflows';

/** The same deliveries to both runners, in turn; so many events for each of them in a round. */
interface Cell {
	size: keyof typeof TRANSCRIPT_BYTES;
	connections: number;
	deliveries: number;
}

/** About so many bytes has the transcript in an event of this size. */
const TRANSCRIPT_BYTES = { '1 KB': 600, '1 MB': 1_000_000 };

/** Of each size, so that everything is compiled; not reported. */
const WARM_UP = { connections: 10, deliveries: 80 };
const SIZES = ['1 KB', '1 MB'] as const;

/**
 * A run takes some seconds, so that short disturbances count for little. With 50 connections the first 50 events of a
 * run wait for each other, and at the end fewer and fewer are under way; a run has several times as many, so that it
 * shows the time between.
 */
const CELLS: readonly Cell[] = [
	{ size: '1 KB', connections: 1, deliveries: 150 },
	{ size: '1 KB', connections: 50, deliveries: 500 },
	{ size: '1 MB', connections: 1, deliveries: 120 },
	{ size: '1 MB', connections: 50, deliveries: 200 },
];
const ROUNDS = 5;

/** Each n8n that is measured, and its settings. The last one makes isolates for expressions only when there is one. */
const N8NS: readonly (readonly [title: string, settings: Readonly<Record<string, string>>])[] = [
	['n8n as it comes', {}],
	['n8n with lazy isolates', { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }],
];

const MIN_RATIO = 0.95;
const ANSWERED_WITHIN_MS = 300_000;
const EXECUTED_WITHIN_MS = 60_000;

const TURN = {
	speaker: 'assistant',
	at: 12.5,
	text: 'We could do Tuesday at nine or Thursday at half past two; which of them suits you better?',
};

/** Makes the bodies of events, each by the ID of its call; the rest is written once for all of them. */
function bodyMaker(transcriptBytes: number): (callId: string) => string {
	const turns = Math.ceil(transcriptBytes / JSON.stringify(TURN).length);
	const event = JSON.stringify({
		callStartTime: new Date().toISOString(),
		transcript: Array.from({ length: turns }, (_, index) => ({ ...TURN, at: index * 12.5 })),
		summary: 'The customer has booked an appointment and wants to be reminded by SMS.',
		...{ appointment: '2026-02-03T09:00', customerIsNew: true },
	});
	return (callId) => `{"callId":"${callId}",${event.slice(1)}`;
}

/** What became of the deliveries of one run. */
interface Sample extends Outcome {
	deliveriesPerSecond: number;
}

/**
 * Delivers events, and waits until they were executed.
 *
 * @throws Error if one is not answered with 200
 */
async function deliver(
	url: string,
	tally: Tally,
	{ size, connections, deliveries }: Cell,
): Promise<Sample> {
	const bodyOf = bodyMaker(TRANSCRIPT_BYTES[size]);
	const headers = { 'content-type': 'application/json', [WEBHOOK_HEADER]: WEBHOOK_SECRET };
	const callIds = Array.from({ length: deliveries }, () => randomUUID());
	await tally.begin();
	const before = performance.now();
	await inParallel(callIds, connections, async (callId) => {
		const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
		const answer = await fetch(url, { method: 'POST', headers, body: bodyOf(callId), signal });
		const text = await answer.text();
		if (answer.status !== 200) throw new Error(`an event was refused: ${answer.status} ${text}`);
	});
	const seconds = (performance.now() - before) / 1000;
	const areExecuted = async () => (await tally.executed()).length >= deliveries || undefined;
	// What was lost shows in the outcome.
	await eventually('executions', areExecuted, EXECUTED_WITHIN_MS).catch(() => undefined);
	const outcome = outcomeOf(callIds, await tally.executed());
	return { ...outcome, deliveriesPerSecond: deliveries / seconds };
}

/** A workflow of two nodes for each runner: what starts it, and what counts it. Gives where to post. */
async function createRunners({ client, credentials }: Rig) {
	const activate = async (start: INode, path: string) => {
		const draft = { name: 'Bench', ...chain(start, clock('seen')), settings: NOT_KEPT };
		await createActive(client, draft, () => path);
		return `${client.baseUrl}${path}`;
	};
	const type = 'n8n-nodes-assistant-service.assistantServiceTrigger';
	const trigger = node(type, 'Start', {}, { typeVersion: 1.1, credentials: { ...credentials } });
	const secret = { name: WEBHOOK_HEADER, value: WEBHOOK_SECRET };
	const httpHeaderAuth = await client.saveCredential('httpHeaderAuth', 'Bench', secret);
	const path = randomUUID();
	const answers = { authentication: 'headerAuth', responseMode: 'onReceived' };
	const parameters = { httpMethod: 'POST', path, ...answers };
	const extra = { typeVersion: 2.1, credentials: { httpHeaderAuth } };
	const webhook = node('n8n-nodes-base.webhook', 'Start', parameters, extra);
	return {
		triggerUrl: await activate(trigger, webhookPath(trigger)),
		webhookUrl: await activate(webhook, `/webhook/${path}`),
	};
}

const perSecond: Figure<Sample> = ({ deliveriesPerSecond }) => deliveriesPerSecond;

/** The trigger beside n8n's own Webhook node; wrong if an event was lost or doubled. */
export async function measureTrigger(started: Started, isQuick: boolean): Promise<Report> {
	const targets: Target[] = [];
	const figures: string[] = [];
	const ofTrigger: Sample[] = [];
	for (const [title, settings] of N8NS.slice(isQuick ? -1 : 0)) {
		const rig = await openRig(started, settings);
		const { triggerUrl, webhookUrl } = await createRunners(rig);
		const tally = await createTally(rig.client);
		for (const size of SIZES)
			for (const url of [triggerUrl, webhookUrl]) await deliver(url, tally, { size, ...WARM_UP });
		const ratios = [];
		for (const cell of isQuick ? CELLS.slice(0, 2) : CELLS) {
			const { size, connections, deliveries } = cell;
			const name = `${size}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;
			const { samples, figures: table } = await measureTable({
				title: `${title}: ${name}, ${deliveries} events`,
				rounds: isQuick ? 1 : ROUNDS,
				runners: {
					Webhook: async () => await deliver(webhookUrl, tally, cell),
					'this trigger': async () => await deliver(triggerUrl, tally, cell),
				},
				figures: {
					'deliveries per second': perSecond,
					'executed once': ({ once }) => once,
					twice: ({ moreThanOnce }) => moreThanOnce,
					lost: ({ lost }) => lost,
				},
			});
			figures.push(table);
			ofTrigger.push(...samples['this trigger']);
			ratios.push([name, ratioOf(samples['this trigger'], samples.Webhook, perSecond)] as const);
		}
		const promise = `${title}: at least ${MIN_RATIO} times the deliveries of Webhook per second`;
		targets.push(spreadTarget(promise, ratios, ({ median }) => median >= MIN_RATIO));
		await rig.n8n.stop();
	}
	const exact = exactTarget('In all of these: each event executed once', ofTrigger);
	return {
		part: 'trigger measured',
		targets: [...targets, exact],
		figures: figures.join('\n\n'),
		isWrong: !exact.isMet,
	};
}
