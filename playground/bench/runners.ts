import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { SavedCredential, WorkflowDraft } from '../restTypes';
import { chain, node } from '../workflows';
import { BENCH_PACKAGE, EARLIER_PACKAGE } from './package';
import type { Service } from './service';

/** Who does the work. */
export type RunnerId =
	| 'node'
	| 'nodeWithList'
	| 'nodeNotAgain'
	| 'earlier'
	| 'httpRequest'
	| 'httpRequestJson'
	| 'httpRequestBatched'
	| 'httpRequestRetry'
	| 'declarative'
	| 'floor';

export const RUNNER_NAMES: Record<RunnerId, string> = {
	node: 'this node',
	nodeWithList: 'this node, Do Not Contact',
	nodeNotAgain: 'this node, Not Again Within',
	earlier: 'this node, earlier',
	httpRequest: 'HTTP Request',
	httpRequestJson: 'HTTP Request, JSON text',
	httpRequestBatched: 'HTTP Request, batching',
	httpRequestRetry: 'HTTP Request, Retry On Fail',
	declarative: 'stock declarative node',
	floor: 'floor',
};

/** How many fields of the call are expressions; the others are fixed. */
export type FieldCount = 1 | 3;

const TYPES: Record<RunnerId, string> = {
	node: 'n8n-nodes-assistant-service.assistantService',
	nodeWithList: 'n8n-nodes-assistant-service.assistantService',
	nodeNotAgain: 'n8n-nodes-assistant-service.assistantService',
	earlier: `${EARLIER_PACKAGE}.assistantService`,
	httpRequest: 'n8n-nodes-base.httpRequest',
	httpRequestJson: 'n8n-nodes-base.httpRequest',
	httpRequestBatched: 'n8n-nodes-base.httpRequest',
	httpRequestRetry: 'n8n-nodes-base.httpRequest',
	declarative: `${BENCH_PACKAGE}.benchDeclarative`,
	floor: `${BENCH_PACKAGE}.benchFloor`,
};

const HTTP_REQUEST_VERSION = 4.5;

/** How many numbers the list of whom not to contact has. Nobody of them is called. */
export const LISTED_NUMBERS = 100_000;

interface CallTexts {
	assistantId: string;
	fromNumber: string;
	toNumber: string;
}

/** The three texts of a call: expressions as many as asked for, the phone number first. */
function callTexts(
	fields: FieldCount,
	{ assistantId, fromNumber }: Service,
	toNumber: string,
): CallTexts {
	return fields === 1
		? { assistantId, fromNumber, toNumber }
		: { assistantId: '={{ $json.assistantId }}', fromNumber: '={{ $json.from }}', toNumber };
}

/** Within a longer text only the braces count. */
const inText = (text: string): string => text.replace(/^=/, '');

function httpRequest(
	{ baseUrl, workspaceId }: Service,
	{ assistantId, fromNumber, toNumber }: CallTexts,
	body: 'fields' | 'json',
	options: IDataObject = {},
): INodeParameters {
	const url = `${baseUrl}/v1/voice/placeoutboundcall/${workspaceId}/${inText(assistantId)}`;
	return {
		method: 'POST',
		url: assistantId.startsWith('=') ? `=${url}` : url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'assistantServiceApi',
		sendBody: true,
		contentType: 'json',
		...(body === 'fields'
			? {
					specifyBody: 'keypair',
					bodyParameters: {
						parameters: [
							{ name: 'fromNumber', value: fromNumber },
							{ name: 'toNumber', value: toNumber },
						],
					},
				}
			: {
					specifyBody: 'json',
					jsonBody: `={"fromNumber":"${inText(fromNumber)}","toNumber":"${inText(toNumber)}"}`,
				}),
		options: options as INodeParameters,
	};
}

function parametersOf(
	runner: RunnerId,
	fields: FieldCount,
	service: Service,
	toNumber: string,
): INodeParameters {
	const texts = callTexts(fields, service, toNumber);
	const limit = { batching: { batch: { batchSize: 50, batchInterval: 1000 } } };
	switch (runner) {
		case 'node':
		case 'earlier':
		case 'declarative':
			return { resource: 'call', operation: 'place', ...texts };
		case 'nodeWithList':
			return {
				...parametersOf('node', fields, service, toNumber),
				contactRules: { doNotContact: "={{ $('Numbers').first().json.numbers }}" },
			};
		case 'nodeNotAgain':
			return {
				...parametersOf('node', fields, service, toNumber),
				contactRules: { notAgainWithin: 24 },
			};
		case 'floor':
			return { ...texts };
		case 'httpRequest':
		case 'httpRequestRetry':
			return httpRequest(service, texts, 'fields');
		case 'httpRequestJson':
			return httpRequest(service, texts, 'json');
		case 'httpRequestBatched':
			return httpRequest(service, texts, 'fields', limit);
	}
}

/** The node "Runner" of a workflow, but for what it does on errors. */
export function runnerNode(
	runner: RunnerId,
	fields: FieldCount,
	service: Service,
	credential: SavedCredential,
	toNumber: string,
): INode {
	const type = TYPES[runner];
	return node(type, 'Runner', parametersOf(runner, fields, service, toNumber), {
		typeVersion: type.endsWith('.httpRequest') ? HTTP_REQUEST_VERSION : 1,
		credentials: { assistantServiceApi: credential },
	});
}

export const webhookPathOf = (runner: RunnerId, fields: FieldCount): string =>
	`bench-${runner}-${fields}`;

/** Joins the numbers of a list to a text in one item, beside what the webhook was asked for. */
const numbersNode = (): INode =>
	node(
		'n8n-nodes-base.set',
		'Numbers',
		{
			mode: 'raw',
			includeOtherFields: true,
			jsonOutput: `={{ ({ numbers: Array.from({ length: ${LISTED_NUMBERS} }, (_, index) => '+4917' + String(index).padStart(8, '0')).join(',') }) }}`,
			options: {},
		},
		{ typeVersion: 3.4 },
	);

/** Webhook, item source, runner, end: the answer of the webhook is what the run cost. */
export function workflowOf(
	runner: RunnerId,
	fields: FieldCount,
	service: Service,
	credential: SavedCredential,
): WorkflowDraft {
	const name = webhookPathOf(runner, fields);
	const webhook = { httpMethod: 'POST', path: name, responseMode: 'lastNode' };
	const nodes = [
		node('n8n-nodes-base.webhook', 'Webhook', webhook, { typeVersion: 2 }),
		...(runner === 'nodeWithList' ? [numbersNode()] : []),
		node(`${BENCH_PACKAGE}.benchSource`, 'Source'),
		{
			...runnerNode(runner, fields, service, credential, '={{ $json.to }}'),
			// n8n repeats a node only when it fails as a whole.
			...(runner === 'httpRequestRetry'
				? { retryOnFail: true, maxTries: 3 }
				: { onError: 'continueRegularOutput' as const }),
		},
		node(`${BENCH_PACKAGE}.benchEnd`, 'End'),
	];
	return {
		name,
		...chain(...nodes),
		// Writing 20,000 items into the database is n8n's work, not that of a node.
		settings: { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' },
	};
}
