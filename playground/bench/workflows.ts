import type { INode, INodeParameters } from 'n8n-workflow';
import { ASSISTANT_ID, FROM_NUMBER } from '../../test/simulator/seed';
import { PLACE_CALL } from '../e2e/calls';
import { post } from '../post';
import type { N8nClient } from '../rest';
import type { WorkflowDraft } from '../restTypes';
import { behindWebhook as saveBehindWebhook, node, type WebhookOptions } from '../workflows';
import type { Cost } from './BenchClock.node';
import { clock, type Rig } from './rig';

/** Of a workflow: what is measured is the node, not how n8n keeps executions. */
export const NOT_KEPT = {
	saveDataSuccessExecution: 'none',
	saveDataErrorExecution: 'none',
} as const;

/** An active workflow behind n8n's own Webhook node, which answers when the execution has ended or at once. */
export async function behindWebhook(
	client: N8nClient,
	nodes: INode[],
	settings: WorkflowDraft['settings'] = NOT_KEPT,
	responseMode: WebhookOptions['responseMode'] = 'lastNode',
) {
	const change = (draft: WorkflowDraft) => ({ ...draft, settings });
	const options = { responseMode, change };
	const { workflow, path } = await saveBehindWebhook(client, 'Bench', nodes, options);
	return { id: workflow.id, url: `${client.baseUrl}${path}` };
}

/** The parameters that name a call; an expression begins with "=". */
export const FROM_ITEM = {
	assistantId: '={{ $json.assistantId }}',
	fromNumber: '={{ $json.fromNumber }}',
	toNumber: '={{ $json.phone }}',
};

/** The items that {@link FROM_ITEM} reads. */
export const contactsOf = (people: readonly string[]) =>
	people.map((phone) => ({ assistantId: ASSISTANT_ID, fromNumber: FROM_NUMBER, phone }));

/** The same for the one number that was posted. */
export const TO_POSTED = { toNumber: '={{ $json.body.phone }}' };

/** This package's node, which calls. */
export const serviceNode = (
	{ credentials }: Pick<Rig, 'credentials'>,
	parameters: INodeParameters,
): INode =>
	node(
		'n8n-nodes-assistant-service.assistantService',
		'Runner',
		{ ...PLACE_CALL, ...parameters },
		{ credentials: { ...credentials } },
	);

/** n8n's own HTTP Request, which places the same call. */
export function httpRequestNode(
	{ simulator: { baseUrl, workspaceId }, credentials }: Rig,
	parameters: Partial<typeof FROM_ITEM>,
): INode {
	const call = { ...PLACE_CALL, ...parameters } as typeof FROM_ITEM;
	const { assistantId, fromNumber, toNumber } = call;
	// Within a longer text only the braces count.
	const url = `${baseUrl}/v1/voice/placeoutboundcall/${workspaceId}/${assistantId.replace(/^=/, '')}`;
	const numbers = Object.entries({ fromNumber, toNumber });
	const request = {
		method: 'POST',
		url: assistantId.startsWith('=') ? `=${url}` : url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'assistantServiceApi',
		sendBody: true,
		contentType: 'json',
		specifyBody: 'keypair',
		bodyParameters: { parameters: numbers.map(([name, value]) => ({ name, value })) },
		options: {},
	};
	const extra = { typeVersion: 4.5, credentials: { ...credentials } };
	return node('n8n-nodes-base.httpRequest', 'Runner', request, extra);
}

let numbersMade = 0;

/** Numbers that nobody has called before. */
export const newNumbers = (length: number): string[] =>
	Array.from({ length }, () => `+4916${String(numbersMade++).padStart(8, '0')}`);

/** How many were reached once, more than once and never. */
export interface Outcome {
	once: number;
	moreThanOnce: number;
	lost: number;
}

/** @param reached an entry for each time that somebody was reached */
export function outcomeOf(people: readonly string[], reached: readonly unknown[]): Outcome {
	const times = new Map<unknown, number>();
	for (const person of reached) times.set(person, (times.get(person) ?? 0) + 1);
	const all = people.map((person) => times.get(person) ?? 0);
	return {
		once: all.filter((often) => often === 1).length,
		moreThanOnce: all.filter((often) => often > 1).length,
		lost: all.filter((often) => often === 0).length,
	};
}

/** A clock for runs of many executions. */
export type Tally = Awaited<ReturnType<typeof createTally>>;

export async function createTally(client: N8nClient) {
	const { url } = await behindWebhook(client, [clock()]);
	const ask = async (step: string): Promise<unknown> => (await post(url, { step })).data;
	return {
		begin: async () => await ask('begin'),
		/** The calls whose events were executed, an entry for each time. */
		executed: async () => ((await ask('count')) as { executed: unknown[] }).executed,
		end: async () => (await ask('end')) as Cost,
	};
}
