import type { INode } from 'n8n-workflow';
import { post } from '../post';
import type { N8nClient } from '../rest';
import type { WorkflowDraft } from '../restTypes';
import { behindWebhook as saveBehindWebhook } from '../workflows';
import type { Cost } from './nodes/probe';
import { clock, runnerNode, RUNNERS, type RunnerId } from './runners';
import type { Rig } from './rounds';

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

const WARM_UP_EXECUTIONS = 20;

/** An active workflow behind n8n's own Webhook node, which answers at once or when the execution has ended. */
export async function behindWebhook(
	client: N8nClient,
	name: string,
	nodes: INode[],
	responseMode: 'onReceived' | 'lastNode',
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
	responseMode: 'onReceived' | 'lastNode',
): Promise<Active> {
	const called = runnerNode(runner, 1, rig, '={{ $json.body.to }}');
	const name = `One call: ${RUNNERS[runner].name}`;
	return await behindWebhook(rig.client, name, [called], responseMode, {});
}

/** A workflow of one call for each event, which has run warm. */
export async function warmSingle(rig: Rig, runner: RunnerId): Promise<Active> {
	const active = await singleCalls(rig, runner, 'onReceived');
	rig.service.prepare(null);
	await Promise.all(numbers(WARM_UP_EXECUTIONS).map(async (to) => post(active.url, { to })));
	await rig.client.allFinished(active.id);
	return active;
}

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

/** Numbers that no list has. */
export const numbers = (length: number, from = 0): string[] =>
	Array.from({ length }, (_, index) => `+4916${String(from + index).padStart(8, '0')}`);
