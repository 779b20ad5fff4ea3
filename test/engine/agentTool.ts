import { ExecuteContext } from 'n8n-core';
import {
	createEmptyRunExecutionData,
	Workflow,
	type IDataObject,
	type INode,
	type INodeParameters,
} from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import { AssistantService } from '../../nodes/AssistantService/AssistantService.node';
import type { StoredCredential } from './credentialsHelper';
import { addNodeType, createAdditionalData, nodeTypes, NODE_TYPE } from './engine';

/** The tool that n8n makes of the node. */
const TOOL_TYPE = `${NODE_TYPE}Tool`;
addNodeType(TOOL_TYPE, new AssistantService());

/**
 * Runs the node once as n8n's own Agents do (2.41, `ephemeral-node-executor.js`): in no execution, in
 * a workflow without an ID, as a node with a new one. The model's arguments are the input item.
 */
export async function runForAgent(
	parameters: INodeParameters,
	credential: StoredCredential,
	json: IDataObject = {},
): Promise<IDataObject[]> {
	const node: INode = {
		...{ id: randomUUID(), name: 'Target Node', type: TOOL_TYPE, typeVersion: 1, position: [0, 0] },
		...{ parameters, credentials: { assistantServiceApi: { id: '1', name: 'Test' } } },
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const items = [{ json }];
	const inputData = { main: [items] };
	const additionalData = createAdditionalData(
		{ assistantServiceApi: credential },
		{ executionId: undefined },
	);
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData,
		'internal',
		createEmptyRunExecutionData(),
		0,
		items,
		inputData,
		{ node, data: inputData, source: null },
		[],
	);
	const [output = []] = await new AssistantService().execute.call(context);
	return output.map((item) => item.json);
}
