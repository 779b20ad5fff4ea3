import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import { eventually } from '../eventually';
import type { N8nClient } from '../rest';
import { WEBHOOK_HEADER, WEBHOOK_SECRET } from '../setup';
import { node } from '../workflows';
import { countsOf, deliverAll, isRepeat, type Counts, type Event } from './deliveries';
import type { Cost } from './nodes/probe';
import { clock } from './runners';
import { activate, NOT_KEPT, type Tally } from './workflows';

/** Who takes the events. */
export type RunnerId = 'trigger' | 'webhook';

export const NAMES: Record<RunnerId, string> = { trigger: 'this trigger', webhook: 'Webhook' };
export const RUNNERS: readonly RunnerId[] = ['trigger', 'webhook'];

/** One run of one runner. */
export interface Sample extends Counts {
	deliveriesPerSecond: number;
	/** The time to the answer of each delivery. */
	milliseconds: number[];
	cost: Cost;
}

const EXECUTED_WITHIN_MS = 60_000;

/** A workflow of two nodes for each runner: what starts it, and what counts it. Gives where to post. */
export async function createRunners(client: N8nClient): Promise<Record<RunnerId, string>> {
	const own = await client.saveCredential('assistantServiceWebhookApi', 'Bench', {
		secret: WEBHOOK_SECRET,
		headerName: WEBHOOK_HEADER,
	});
	const header = await client.saveCredential('httpHeaderAuth', 'Bench', {
		name: WEBHOOK_HEADER,
		value: WEBHOOK_SECRET,
	});
	const create = async (name: string, suffix: string, start: INode) => {
		const path = `/webhook/${start.webhookId ?? ''}${suffix}`;
		return (await activate(client, name, path, [start, clock('seen')], NOT_KEPT)).url;
	};
	const webhookId = randomUUID();
	const parameters = {
		...{ httpMethod: 'POST', path: webhookId },
		...{ authentication: 'headerAuth', responseMode: 'onReceived' },
	};
	return {
		trigger: await create(
			NAMES.trigger,
			'/webhook',
			node(
				'n8n-nodes-assistant-service.assistantServiceTrigger',
				'Start',
				{},
				{
					typeVersion: 1.1,
					credentials: { assistantServiceWebhookApi: own },
				},
			),
		),
		webhook: await create(
			NAMES.webhook,
			'',
			node('n8n-nodes-base.webhook', 'Start', parameters, {
				typeVersion: 2.1,
				credentials: { httpHeaderAuth: header },
				webhookId,
			}),
		),
	};
}

/** Delivers the events, and waits until those that were accepted were executed. */
export async function run(
	url: string,
	tally: Tally,
	events: readonly Event[],
	connections: number,
): Promise<Sample> {
	await tally.begin();
	const before = performance.now();
	const answers = await deliverAll(url, events, connections);
	const seconds = (performance.now() - before) / 1000;
	const accepted = answers.filter((one) => one.status === 200 && !isRepeat(one)).length;
	const ask = async () => ((await tally.executed()) >= accepted ? true : undefined);
	// What was lost shows in the counts.
	await eventually(`${accepted} executions`, ask, EXECUTED_WITHIN_MS).catch(() => undefined);
	const ended = await tally.end();
	return {
		...countsOf(answers, ended),
		deliveriesPerSecond: events.length / seconds,
		milliseconds: answers.map(({ milliseconds }) => milliseconds),
		cost: ended.cost,
	};
}
