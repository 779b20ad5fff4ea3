import type { INode } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import type { SavedCredential, WorkflowDraft } from '../../restTypes';
import { chain, node } from '../../workflows';
import { BENCH_PACKAGE } from '../package';
import { RUNNER_NAMES, runnerNode, type RunnerId } from '../runners';
import type { Service } from '../service';

/** What becomes of an execution whose call is refused: a node that is used as it comes fails. */
const ON_ERROR: Partial<Record<RunnerId, Partial<INode>>> = {
	httpRequestRetry: { retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 },
};

/** The workflow with the path of its webhook. */
export interface Draft {
	path: string;
	workflow: WorkflowDraft;
}

/** When the webhook answers: at once, or when the execution has ended. */
type ResponseMode = 'onReceived' | 'lastNode';

function behindWebhook(
	name: string,
	nodes: INode[],
	settings: WorkflowDraft['settings'],
	responseMode: ResponseMode = 'onReceived',
): Draft {
	const path = randomUUID();
	const parameters = { httpMethod: 'POST', path, responseMode };
	const webhook = node('n8n-nodes-base.webhook', 'Webhook', parameters, { typeVersion: 2 });
	return { path: `/webhook/${path}`, workflow: { name, ...chain(webhook, ...nodes), settings } };
}

/** One event, one execution, one call: webhook and runner; executions are kept as n8n keeps them by itself. */
export const singleCallDraft = (
	runner: RunnerId,
	service: Service,
	credential: SavedCredential,
	responseMode?: ResponseMode,
): Draft =>
	behindWebhook(
		`One call: ${RUNNER_NAMES[runner]}`,
		[
			{
				...runnerNode(runner, 1, service, credential, '={{ $json.body.to }}'),
				...ON_ERROR[runner],
			},
		],
		{},
		responseMode,
	);

/** Webhook, item source, runner: goes on after an item that failed, as a list that is to be finished does. */
export const listDraft = (runner: RunnerId, service: Service, credential: SavedCredential): Draft =>
	behindWebhook(
		`List: ${RUNNER_NAMES[runner]}`,
		[
			node(`${BENCH_PACKAGE}.benchSource`, 'Source'),
			{
				...runnerNode(runner, 1, service, credential, '={{ $json.to }}'),
				onError: 'continueRegularOutput',
			},
		],
		{ saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' },
	);
