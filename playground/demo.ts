import type { INode } from 'n8n-workflow';
import type { Simulator } from '../test/simulator/simulator';
import { outputOf } from './executions';
import type { N8nClient } from './rest';
import type { SavedExecution, SavedWorkflow, WorkflowDraft } from './restTypes';
import { readExample, WEBHOOK_HEADER, WEBHOOK_SECRET, webhookPath } from './setup';

const PLACE_CALLS = readExample('place-calls.json');
const END_OF_CALL = readExample('end-of-call.json');

export interface DemoResult {
	/** One line per call that was placed, and one per event that came back. */
	calls: string[];
	events: string[];
}

/** The example of that name in this n8n; a user's changes to it stay. */
async function importOnce(client: N8nClient, draft: WorkflowDraft): Promise<SavedWorkflow> {
	const all = await client.workflows();
	const known = all.find(({ name }) => name === draft.name);
	return known ? await client.workflow(known.id) : await client.createWorkflow(draft);
}

function nodeOf(draft: WorkflowDraft, type: string): INode {
	const node = draft.nodes.find((one) => one.type.endsWith(type));
	if (!node) throw new Error(`${draft.name} has no node ${type}`);
	return node;
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function callLines(execution: SavedExecution, nodeName: string): string[] {
	const [items = []] = outputOf(execution, nodeName);
	return items.map(({ json }) => `${text(json.callId)}  ${text(json.status)}  ${text(json.msg)}`);
}

function eventLine(execution: SavedExecution, nodeName: string): string {
	const json = outputOf(execution, nodeName)[0]?.[0]?.json ?? {};
	return `${text(json.callId)}  ${text(json.callStartTime)}  ${text(json.summary)}`;
}

/** Three contacts are called by one workflow, and each end of a call starts the other one. */
export async function runDemo(client: N8nClient, simulator: Simulator): Promise<DemoResult> {
	const placeCalls = await importOnce(client, PLACE_CALLS);
	const endOfCall = await importOnce(client, END_OF_CALL);
	const trigger = nodeOf(endOfCall, '.assistantServiceTrigger');
	if (!endOfCall.active) await client.activate(endOfCall);
	await client.waitForWebhook(webhookPath(trigger));
	simulator.setWebhooks([
		{
			url: `${client.baseUrl}${webhookPath(trigger)}`,
			headers: { [WEBHOOK_HEADER]: WEBHOOK_SECRET },
		},
	]);

	const last = await client.lastExecutionId();
	const execution = await client.run(placeCalls.id, nodeOf(PLACE_CALLS, '.manualTrigger').name);
	const calls = callLines(execution, nodeOf(PLACE_CALLS, '.assistantService').name);
	if (execution.status !== 'success' || calls.length === 0) {
		throw new Error(`the workflow "${placeCalls.name}" ended with status ${execution.status}`);
	}
	const ended = await client.finishedAfter(last, endOfCall.id, calls.length);
	return { calls, events: ended.map((one) => eventLine(one, trigger.name)) };
}
