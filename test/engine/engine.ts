import { ExecutionLifecycleHooks, ExternalSecretsProxy, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IRunExecutionData,
	type IWorkflowExecuteAdditionalData,
	type NodeApiError,
	type NodeExecutionHint,
	type NodeOperationError,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { AssistantService } from '../../nodes/AssistantService/AssistantService.node';
import { AssistantServiceTrigger } from '../../nodes/AssistantServiceTrigger/AssistantServiceTrigger.node';
import { inOtherProcess } from '../otherProcess';
import { StoredCredential, type Stored } from './credentialsHelper';
import { itemSource } from './testNodes';

export const NODE_TYPE = 'n8n-nodes-assistant-service.assistantService';
export const TRIGGER_TYPE = 'n8n-nodes-assistant-service.assistantServiceTrigger';
const SOURCE_TYPE = 'test.itemSource';
const NODE_NAME = 'Assistant Service';

const TYPES: Record<string, INodeType> = {
	[NODE_TYPE]: new AssistantService(),
	[TRIGGER_TYPE]: new AssistantServiceTrigger(),
	[SOURCE_TYPE]: itemSource,
};

/** Makes a node type known under this name, for `NodeSetup.type`. */
export function addNodeType(name: string, type: INodeType): void {
	TYPES[name] = type;
}

let processes = 0;

/** Loads the node as another process of n8n does. Gives the name of its type. */
export function startProcess(): string {
	const { AssistantService: Node } = inOtherProcess(() =>
		jest.requireActual<{ AssistantService: typeof AssistantService }>(
			'../../nodes/AssistantService/AssistantService.node',
		),
	);
	const name = `test.process${++processes}`;
	addNodeType(name, new Node());
	return name;
}

function getType(name: string): INodeType {
	const type = TYPES[name];
	if (type === undefined) throw new Error(`Unknown node type ${name}`);
	return type;
}

const nodeTypes: INodeTypes = {
	getByName: getType,
	getByNameAndVersion: getType,
	getKnownTypes: () => ({}),
};

/** Everything that n8n itself would give to an execution; no part of it is replaced but the stored credential. */
export function createAdditionalData(
	credential: Stored,
	more: Partial<IWorkflowExecuteAdditionalData> = {},
): IWorkflowExecuteAdditionalData {
	const base = 'http://127.0.0.1:1/';
	const unused = (): never => {
		throw new Error('Not part of these tests');
	};
	return {
		credentialsHelper: new StoredCredential(credential),
		executeWorkflow: unused,
		getRunExecutionData: unused,
		getRuntimeCredential: unused,
		startRunnerTask: unused,
		logAiEvent: unused,
		currentNodeExecutionIndex: 0,
		...{ restApiUrl: base, instanceBaseUrl: base, mcpBaseUrl: base, mcpTestBaseUrl: base },
		...{ formBaseUrl: base, formWaitingBaseUrl: `${base}form-waiting`, formTestBaseUrl: base },
		webhookBaseUrl: `${base}webhook`,
		webhookWaitingBaseUrl: `${base}webhook-waiting`,
		webhookTestBaseUrl: `${base}webhook-test`,
		variables: {},
		externalSecretsProxy: new ExternalSecretsProxy(),
		executionId: '1',
		...more,
	};
}

/** How the node stands in the workflow. */
export interface NodeSetup {
	readonly parameters: INodeParameters;
	readonly credential: ICredentialDataDecryptedObject;
	/** The input items; one empty item by default. */
	readonly items?: IDataObject[];
	/** What is set beside the parameters, e.g. On Error. */
	readonly settings?: Partial<INode>;
	readonly executionId?: string;
	/** Names the node; by default its name. */
	readonly nodeId?: string;
	/** The type of the node; `NODE_TYPE` by default. */
	readonly type?: string;
	/** What started the execution; `manual` by default. */
	readonly mode?: WorkflowExecuteMode;
	/** Where executions that wait are resumed; nowhere by default. */
	readonly waitingUrl?: string;
}

export interface NodeRun {
	readonly run: IRun;
	/** The node's items by output: the regular one, then the error output. */
	readonly outputs: INodeExecutionData[][];
	readonly items: INodeExecutionData[];
	readonly error: NodeApiError | NodeOperationError | undefined;
	/** The run summary. */
	readonly hint: NodeExecutionHint | undefined;
}

/** A node with the credential of the tests. */
export const createNode = (name: string, type: string, more: Partial<INode>): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	credentials: { assistantServiceApi: { id: '1', name: 'Test' } },
	...more,
});

export const workflowOf = (
	nodes: INode[],
	more: Partial<ConstructorParameters<typeof Workflow>[0]> = {},
): Workflow => new Workflow({ nodes, connections: {}, active: false, nodeTypes, ...more });

export function createWorkflow({
	parameters,
	items = [{}],
	settings,
	nodeId = NODE_NAME,
	type = NODE_TYPE,
}: NodeSetup): Workflow {
	const nodes = [
		createNode('Items', SOURCE_TYPE, { parameters: { items: JSON.stringify(items) } }),
		createNode(NODE_NAME, type, { id: nodeId, parameters, ...settings }),
	];
	return workflowOf(nodes, {
		id: 'test',
		connections: { Items: { main: [[{ node: NODE_NAME, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
}

/** Each execution of n8n has an id of its own. */
let executions = 0;
export const newExecutionId = (): string => String(++executions);

/** Starts a run on n8n's engine; `cancel` ends it as n8n's stop button does. */
export function startNode(setup: NodeSetup, saved?: IRunExecutionData) {
	const workflow = createWorkflow(setup);
	const { executionId = newExecutionId(), mode = 'manual', waitingUrl } = setup;
	const hooks = new ExecutionLifecycleHooks(mode, executionId, {
		...{ id: 'test', name: 'Test', nodes: [], connections: {} },
		...{ active: false, activeVersionId: null, isArchived: false },
		...{ createdAt: new Date(), updatedAt: new Date() },
	});
	const additionalData = createAdditionalData(setup.credential, {
		executionId,
		hooks,
		...(waitingUrl && { webhookWaitingBaseUrl: waitingUrl }),
	});
	const execution = saved
		? new WorkflowExecute(additionalData, mode, saved).processRunExecutionData(workflow)
		: new WorkflowExecute(additionalData, mode).run({
				workflow,
				startNode: workflow.getNode('Items') ?? undefined,
			});
	return {
		finished: execution.then(readRun),
		cancel: () => {
			execution.cancel();
		},
	};
}

export async function runNode(setup: NodeSetup): Promise<NodeRun> {
	return await startNode(setup).finished;
}

/**
 * Retries a failed execution as n8n does: from a copy of what was saved, with the node that failed back
 * on the stack.
 */
export async function retryRun(failed: IRun, setup: NodeSetup): Promise<NodeRun> {
	const retried = createRunExecutionData(
		JSON.parse(JSON.stringify(failed.data)) as typeof failed.data,
	);
	// Releases without a token do not make one.
	retried.resumeToken = failed.data.resumeToken;
	const { executionData, resultData } = retried;
	delete resultData.error;
	resultData.runData[NODE_NAME]?.pop();
	for (const { node: saved } of executionData?.nodeExecutionStack ?? []) {
		const { parameters, type = saved.type } = setup;
		if (saved.name === NODE_NAME) Object.assign(saved, setup.settings, { parameters, type });
	}
	return await startNode(setup, retried).finished;
}

/**
 * Runs the workflow from its beginning, with the token that n8n gives to an execution and its retries; an old n8n gives
 * none. In the mode `retry`, it is the retry of an execution of which nothing was saved.
 */
export async function runFromStart(setup: NodeSetup, token: string | undefined): Promise<NodeRun> {
	return await startNode(setup, dataFromStart(setup, token)).finished;
}

/** What n8n begins an execution with. */
export function dataFromStart(setup: NodeSetup, token: string | undefined): IRunExecutionData {
	const start = createWorkflow(setup).getNode('Items');
	if (start === null) throw new Error('The workflow has no beginning');
	const data = createRunExecutionData({
		executionData: {
			nodeExecutionStack: [{ node: start, data: { main: [[{ json: {} }]] }, source: null }],
		},
	});
	data.resumeToken = token;
	return data;
}

function readRun(run: IRun): NodeRun {
	const task = run.data.resultData.runData[NODE_NAME]?.at(-1);
	const { main, ai_tool: toAgent } = task?.data ?? {};
	const outputs = (main ?? toAgent ?? []).map((items) => items ?? []);
	const error = run.data.resultData.error as NodeRun['error'];
	return { run, outputs, items: outputs[0] ?? [], error, hint: task?.hints?.[0] };
}

/** What the node left in n8n's context of the execution, which n8n saves with it. */
export function contextOf(run: IRun): IDataObject {
	return { ...run.data.executionData?.contextData[`node:${NODE_NAME}`] };
}
