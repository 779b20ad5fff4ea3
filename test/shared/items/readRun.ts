import { ExecuteContext } from 'n8n-core';
import { createRunExecutionData, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { messageOf } from '../../../nodes/shared/answer/failure';
import { isSendable } from '../../../nodes/shared/items/item';
import { readItems } from '../../../nodes/shared/items/readItems';
import { checkCredential } from '../../../nodes/shared/service/credential';
import { createAdditionalData, createWorkflow } from '../../engine/engine';
import { credentialOf, operationOf, placeCall } from '../samples';

/** n8n's context of the node for these items. */
function contextOf(parameters: INodeParameters, items: IDataObject[]): ExecuteContext {
	const workflow = createWorkflow({ parameters, items, credential: {} });
	const [node] = workflow.queryNodes(({ description }) => description.name === 'assistantService');
	if (node === undefined) throw new Error('The workflow has no node');
	const input = items.map((json) => ({ json }));
	const data = { main: [input] };
	const execution = [createAdditionalData(undefined), 'manual', createRunExecutionData()] as const;
	const executeData = { node, data, source: null };
	return new ExecuteContext(workflow, node, ...execution, 0, input, data, executeData, []);
}

export const [ada = {}, bob = {}, eve = {}] = [1, 2, 3].map((digit): IDataObject => ({
	to: `+1555000100${digit}`,
}));

export interface More {
	readonly credential?: IDataObject;
	readonly isTool?: boolean;
	readonly path?: string;
}

/** What becomes of items with the parameters of a call, but for these; and what was read, e.g. "toNumber 0". */
export async function plan(
	entered: INodeParameters,
	items: IDataObject[],
	{ credential, isTool = false, path = 'call.place' }: More = {},
) {
	const [resource = '', operation = ''] = path.split('.');
	const parameters = { ...placeCall, contactRules: {}, ...entered, resource, operation };
	const context = contextOf(parameters, items);
	const reading = jest.spyOn(context, 'getNodeParameter');
	const settings = checkCredential(credentialOf(credential));
	const run = await readItems(context, operationOf(path), settings, {
		isTool,
		isCheckOnly: settings.mode.kind === 'checkOnly',
	});
	const failures = run.items.map((item) => (isSendable(item) ? undefined : item.failure));
	return {
		...run,
		reads: reading.mock.calls.map(([name, index]) => `${name} ${index}`),
		failures,
		errors: failures.map((failure) => failure && messageOf(failure)),
		numbers: run.items.map((item) => (isSendable(item) ? item.request.body?.toNumber : undefined)),
	};
}
