import type { INode } from 'n8n-workflow';
import { post } from '../post';
import type { N8nClient } from '../rest';
import type { WorkflowDraft } from '../restTypes';
import { behindWebhook as saveBehindWebhook, type WebhookOptions } from '../workflows';
import type { Cost } from './BenchClock.node';
import type { Rig } from './rig';
import { clock, nameOf, runnerNode, type RunnerId } from './runners';

/** A workflow that waits for events. */
export interface Active {
	id: string;
	url: string;
}

/** What is measured is the node, not how n8n keeps executions. */
export const NOT_KEPT: WorkflowDraft['settings'] = {
	saveDataSuccessExecution: 'none',
	saveDataErrorExecution: 'none',
};

/** An active workflow behind n8n's own Webhook node, which answers at once or when the execution has ended. */
export async function behindWebhook(
	client: N8nClient,
	name: string,
	nodes: INode[],
	responseMode: WebhookOptions['responseMode'],
	settings = NOT_KEPT,
): Promise<Active> {
	const change = (draft: WorkflowDraft) => ({ ...draft, settings });
	const { workflow, path } = await saveBehindWebhook(client, name, nodes, { responseMode, change });
	return { id: workflow.id, url: `${client.baseUrl}${path}` };
}

/** One event, one execution, one call; executions are kept as n8n keeps them by itself. */
export async function singleCalls(
	rig: Rig,
	runner: RunnerId,
	responseMode: WebhookOptions['responseMode'],
): Promise<Active> {
	const called = runnerNode(runner, rig, '={{ $json.body.to }}');
	return await behindWebhook(rig.client, nameOf(runner), [called], responseMode, {});
}

let numbersGiven = 0;

/** Numbers that nobody has called before. */
export const newNumbers = (length: number): string[] =>
	Array.from({ length }, () => `+4916${String(numbersGiven++).padStart(8, '0')}`);

/** What the clock says at the end of a run. */
export interface Ended {
	cost: Cost;
	counts: [event: string, times: number][];
}

/** A clock for runs of many executions. */
export interface Tally {
	begin: () => Promise<void>;
	/** How many executions were counted. */
	executed: () => Promise<number>;
	end: () => Promise<Ended>;
}

export async function createTally(client: N8nClient): Promise<Tally> {
	const { url } = await behindWebhook(client, 'Tally', [clock()], 'lastNode');
	const ask = async (step: string): Promise<unknown> => (await post(url, { step })).data;
	return {
		begin: async () => {
			await ask('begin');
		},
		executed: async () => ((await ask('count')) as { executed: number }).executed,
		end: async () => (await ask('end')) as Ended,
	};
}
