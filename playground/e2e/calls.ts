import type { INodeParameters } from 'n8n-workflow';
import type { EndpointName } from '../../test/simulator/endpoints';
import { ASSISTANT_ID, FROM_NUMBER } from '../../test/simulator/seed';
import { hold } from '../../test/simulator/hold';
import { recipientOf } from '../../test/simulator/recipient';
import type { Simulator } from '../../test/simulator/simulator';
import { eventually } from '../eventually';
import type { N8nClient } from '../rest';
import type { ExecutionSummary, WorkflowDraft } from '../restTypes';
import type { Credentials } from '../setup';
import {
	behindWebhook,
	chain,
	node,
	nodeOf,
	type ActiveWorkflow,
	type WebhookOptions,
} from '../workflows';
import { CONTINUE } from './world';

/** Calls everybody who comes in. */
export const PLACE_CALL: INodeParameters = {
	resource: 'call',
	operation: 'place',
	assistantId: ASSISTANT_ID,
	fromNumber: FROM_NUMBER,
	toNumber: '={{ $json.phone }}',
};

export interface Person {
	/** n8n's items are open. */
	[key: string]: string;
	phone: string;
}

/** So many people; those of another group have other phone numbers. */
export function people(count: number, group = 0): Person[] {
	const first = 5_550_200_000 + group * 1000;
	return Array.from({ length: count }, (_, index) => ({ phone: `+1${first + index}` }));
}

/** How often the service acted on a call to each of these people. */
export function reached(simulator: Simulator, all: Person[]): number[] {
	const calls = simulator.processed('placeCall').map(recipientOf);
	return all.map(({ phone }) => calls.filter((called) => called === phone).length);
}

/** How many requests the service saw for the call to each of these people. */
export function requestsFor(simulator: Simulator, all: Person[]): number[] {
	const arrived = simulator.requests.map(recipientOf);
	return all.map(({ phone }) => arrived.filter((asked) => asked === phone).length);
}

export function refuseOnce(simulator: Simulator, person: Person | undefined): void {
	simulator.addFault({
		kind: 'status',
		status: 400,
		times: 1,
		when: (request) => recipientOf(request) === person?.phone,
	});
}

/**
 * Keeps back the answers to calls (or of another endpoint) after so many, until it is told to go on: what was sent then
 * stays under way, however busy the machine is. The service acts on all of them.
 */
export function holdAnswers(
	simulator: Simulator,
	answered = 0,
	endpoint: EndpointName = 'placeCall',
): () => void {
	const { until, release } = hold();
	let left = answered;
	simulator.addFault({ kind: 'delay', endpoint, until, when: () => left-- <= 0 });
	return release;
}

/** As many as the node marks at a time: they may be in doubt although nobody called them. */
export const MARKED_AT_ONCE = 50;

export const countOf = (times: number[], wanted: number): number =>
	times.filter((time) => time === wanted).length;

export function statuses(executions: readonly ExecutionSummary[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { status } of executions) counts[status] = (counts[status] ?? 0) + 1;
	return counts;
}

/** Waits until the service has acted on so many calls, or requests of another endpoint. */
export async function callsPlaced(
	simulator: Simulator,
	atLeast: number,
	endpoint: EndpointName = 'placeCall',
): Promise<void> {
	await eventually(`${atLeast} times ${endpoint}`, () =>
		Promise.resolve(simulator.processed(endpoint).length >= atLeast ? true : undefined),
	);
}

export const CALL_NODE = 'Call';

export interface CallsOptions extends WebhookOptions {
	parameters?: INodeParameters;
}

/**
 * An active workflow that calls the `people` of what is posted to its path. Only an execution that was
 * started like this can be retried after n8n died.
 */
export async function activateCalls(
	client: N8nClient,
	credentials: Credentials,
	{ parameters, ...options }: CallsOptions = {},
): Promise<ActiveWorkflow> {
	const split = node('n8n-nodes-base.splitOut', 'People', { fieldToSplitOut: 'body.people' });
	const call = node(
		'n8n-nodes-assistant-service.assistantService',
		CALL_NODE,
		{ ...PLACE_CALL, ...parameters },
		{ credentials: { ...credentials } },
	);
	return await behindWebhook(client, 'Calls', [split, call], options);
}

/** Lets a workflow of {@link activateCalls} call so many people in each round, and go on when some calls fail. */
export const inLoop =
	(batchSize: number) =>
	(draft: WorkflowDraft): WorkflowDraft => {
		const { nodes, connections } = draft;
		const loop = node('n8n-nodes-base.splitInBatches', 'Loop', { batchSize }, { typeVersion: 3 });
		const calling = nodeOf(draft, CALL_NODE);
		const before = nodes.filter((step) => step !== calling);
		const { connections: toLoop } = chain(...before, loop);
		const { connections: toCalls } = chain(loop, calling, loop);
		const [eachRound = []] = toCalls.Loop?.main ?? [];
		return {
			...draft,
			nodes: [...before, loop, { ...calling, ...CONTINUE }],
			connections: { ...connections, ...toCalls, ...toLoop, Loop: { main: [[], eachRound] } },
		};
	};
