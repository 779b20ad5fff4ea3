import { isDeepStrictEqual } from 'node:util';
import type { Simulator } from '../test/simulator/simulator';
import { itemsOf } from './executions';
import type { N8nClient } from './rest';
import type { SavedExecution, SavedWorkflow, WorkflowDraft } from './restTypes';
import {
	type Credentials,
	EXAMPLES_ASK_FOR,
	readExample,
	WEBHOOK_HEADER,
	WEBHOOK_SECRET,
	webhookPath,
} from './setup';
import { nodeOf } from './workflows';

const PLACE_CALLS = readExample('place-calls.json');
/** The example with a list, at all hours: it does the same by day and by night. */
export function readRunAList(): WorkflowDraft {
	const draft = readExample('run-a-list.json');
	for (const { parameters } of draft.nodes)
		Object.assign(parameters.contactRules ?? {}, { allowedHours: '00:00-24:00' });
	return draft;
}

const RUN_A_LIST = readRunAList();
/** It hears of all calls, also of those of the list. */
const END_OF_CALL = readExample('end-of-call.json');
Object.assign(nodeOf(END_OF_CALL, 'Call Ended').parameters, {
	options: nodeOf(RUN_A_LIST, 'Call Ended').parameters.options,
});
const EXECUTED_BY_HAND = [
	readExample('five-contacts.json', EXAMPLES_ASK_FOR),
	readExample('call-a-list-and-report.json'),
	readExample('list-report.json'),
	RUN_A_LIST,
];
const TRIGGER = '.assistantServiceTrigger';

export interface DemoResult {
	/** One line per call that was placed, and one per event that came back. */
	calls: string[];
	events: string[];
}

/** Whether a workflow is the example as it was imported, with the credentials of the playground. */
function isUnchanged(
	{ nodes, connections }: SavedWorkflow,
	draft: WorkflowDraft,
	credentials: Credentials,
): boolean {
	const own = Object.values(credentials).map(({ id }) => id);
	const areSame = nodes.every((node, index) => {
		const { credentials: _, ...example } = draft.nodes[index] ?? {};
		const chosen = Object.values(node.credentials ?? {});
		// n8n may have added something, such as the ID of a webhook.
		const isSame = isDeepStrictEqual({ ...node, ...example }, node);
		return isSame && chosen.every(({ id }) => own.includes(id ?? ''));
	});
	return (
		areSame &&
		nodes.length === draft.nodes.length &&
		isDeepStrictEqual(connections, draft.connections)
	);
}

interface Example {
	workflow: SavedWorkflow;
	/** Only then it may be executed unasked: what a user has changed could reach real people. */
	isUnchanged: boolean;
}

/** The example in this n8n: as it was imported, or else as a user has changed it. It is imported if nothing has its name. */
async function exampleIn(
	client: N8nClient,
	draft: WorkflowDraft,
	credentials: Credentials,
): Promise<Example> {
	const sameName = (await client.workflows()).filter(({ name }) => name === draft.name);
	const saved = await Promise.all(sameName.map(async ({ id }) => await client.workflow(id)));
	const [changed] = saved;
	if (!changed) return { workflow: await client.createWorkflow(draft), isUnchanged: true };
	const workflow = saved.find((one) => isUnchanged(one, draft, credentials));
	return { workflow: workflow ?? changed, isUnchanged: workflow !== undefined };
}

/** Has the service send its events to the workflow, which is activated unless a user has changed it. */
async function sendEventsTo(
	{ workflow, isUnchanged }: Example,
	client: N8nClient,
	simulator: Simulator,
): Promise<void> {
	const trigger = workflow.nodes.find(({ type }) => type.endsWith(TRIGGER));
	if (!trigger || !(workflow.active || isUnchanged)) return;
	if (!workflow.active) await client.activate(workflow);
	await client.waitForWebhook(webhookPath(trigger));
	const url = `${client.baseUrl}${webhookPath(trigger)}`;
	simulator.setWebhooks([{ url, headers: { [WEBHOOK_HEADER]: WEBHOOK_SECRET } }]);
}

const text = (value: unknown): string =>
	typeof value === 'string' ? value : JSON.stringify(value);

/** These properties of each item that left a node. */
const linesOf = (execution: SavedExecution, nodeName: string, names: string[]): string[] =>
	itemsOf(execution, nodeName).map((json) => names.map((name) => text(json[name])).join('  '));

/**
 * Three contacts are called by one workflow, and each end of a call starts the other one. Those for the reader of the
 * documentation are there, too, and are not executed.
 *
 * Nothing is executed, and nothing given, if a user has changed one of them.
 */
export async function runDemo(
	client: N8nClient,
	simulator: Simulator,
	credentials: Credentials,
): Promise<DemoResult | undefined> {
	for (const draft of EXECUTED_BY_HAND) await exampleIn(client, draft, credentials);
	const endOfCall = await exampleIn(client, END_OF_CALL, credentials);
	await sendEventsTo(endOfCall, client, simulator);
	const placeCalls = await exampleIn(client, PLACE_CALLS, credentials);
	if (!endOfCall.isUnchanged || !placeCalls.isUnchanged) return undefined;

	const last = await client.lastExecutionId();
	const { id, name } = placeCalls.workflow;
	const execution = await client.run(id, 'Start');
	const calls = linesOf(execution, 'Place Call', ['callId', 'result', 'msg']);
	if (execution.status !== 'success' || calls.length === 0) {
		throw new Error(`the workflow "${name}" ended with status ${execution.status}`);
	}
	const ended = await client.finishedAfter(last, endOfCall.workflow.id, calls.length);
	const names = ['callId', 'callStartTime', 'summary'];
	return { calls, events: ended.flatMap((one) => linesOf(one, 'Call Ended', names)) };
}
