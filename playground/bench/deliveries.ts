import { randomUUID } from 'node:crypto';
import { eventually } from '../eventually';
import { inParallel } from '../parallel';
import type { N8nClient } from '../rest';
import { WEBHOOK_HEADER, WEBHOOK_SECRET } from '../setup';
import { chain, createActive, node } from '../workflows';
import type { Cost } from './nodes/probe';
import { clock } from './runners';
import { NOT_KEPT, type Tally } from './workflows';

const ANSWERED_WITHIN_MS = 300_000;
const EXECUTED_WITHIN_MS = 60_000;

/** An event as it is posted. */
export interface Event {
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
export function eventMaker(transcriptBytes: number): () => Event {
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

/**
 * Deliveries of which some repeat an earlier one: half of the repeats follow at once, so that they arrive while the first
 * is being handled, and half at the end.
 *
 * @param repeats even, and at most as many as there are other deliveries
 */
export function withRepeats(make: () => Event, deliveries: number, repeats: number): Event[] {
	const events = Array.from({ length: deliveries - repeats }, make);
	const every = Math.floor(events.length / (repeats / 2));
	const isRepeated = (index: number) => index % every === 0 && index / every < repeats / 2;
	const soon = events.flatMap((event, at) => (isRepeated(at) ? [event, event] : [event]));
	return [...soon, ...events.slice(-repeats / 2)];
}

/** Who takes the events, by their names in the report. */
export const NAMES = { trigger: 'this trigger', webhook: 'Webhook' } as const;
export type RunnerId = keyof typeof NAMES;
export const RUNNERS: readonly RunnerId[] = ['trigger', 'webhook'];

/** What became of the deliveries of one run. */
export interface Sample {
	deliveries: number;
	/** Without those that repeat another. */
	events: number;
	executedOnce: number;
	executedTwice: number;
	lost: number;
	answeredAsRepeat: number;
	/** Deliveries that were not answered with 200. */
	refused: number;
	deliveriesPerSecond: number;
	/** The time to the answer of each delivery. */
	milliseconds: number[];
	cost: Cost;
}

/** A workflow of two nodes for each runner: what starts it, and what counts it. Gives where to post. */
export async function createRunners(client: N8nClient): Promise<Record<RunnerId, string>> {
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

/** How a delivery was answered; with the status 0 if there was no answer. */
async function deliver(url: string, { reference, body }: Event) {
	const startedAt = performance.now();
	const headers = { 'content-type': 'application/json', [WEBHOOK_HEADER]: WEBHOOK_SECRET };
	const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
	const answer = await fetch(url, { method: 'POST', headers, body: body(), signal })
		.then(async (response) => ({ status: response.status, text: await response.text() }))
		.catch((error: unknown) => ({ status: 0, text: String(error) }));
	const isRepeat = answer.status === 200 && answer.text === '{"repeat":true}';
	return { reference, ...answer, isRepeat, milliseconds: performance.now() - startedAt };
}

/** Delivers the events in their order over so many connections, and waits until those that were accepted were executed. */
export async function run(
	url: string,
	tally: Tally,
	events: readonly Event[],
	connections: number,
): Promise<Sample> {
	await tally.begin();
	const before = performance.now();
	const answers = await inParallel(events, connections, async (event) => deliver(url, event));
	const seconds = (performance.now() - before) / 1000;
	const accepted = answers.filter((one) => one.status === 200 && !one.isRepeat).length;
	const ask = async () => ((await tally.executed()) >= accepted ? true : undefined);
	// What was lost shows in the counts.
	await eventually(`${accepted} executions`, ask, EXECUTED_WITHIN_MS).catch(() => undefined);
	const { cost, counts } = await tally.end();
	const times = new Map(counts);
	const references = [...new Set(events.map(({ reference }) => reference))];
	const executed = references.map((reference) => times.get(reference) ?? 0);
	return {
		deliveries: answers.length,
		events: references.length,
		executedOnce: executed.filter((count) => count === 1).length,
		executedTwice: executed.filter((count) => count > 1).length,
		lost: executed.filter((count) => count === 0).length,
		answeredAsRepeat: answers.filter(({ isRepeat }) => isRepeat).length,
		refused: answers.filter(({ status }) => status !== 200).length,
		deliveriesPerSecond: events.length / seconds,
		milliseconds: answers.map(({ milliseconds }) => milliseconds),
		cost,
	};
}
