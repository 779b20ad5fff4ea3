import {
	Workflow,
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';

import { checkCredential } from '../../../nodes/shared/service/credential';
import { readItems } from '../../../nodes/shared/items/readItems';
import { isSendable } from '../../../nodes/shared/items/item';
import { messageOf } from '../../../nodes/shared/answer/failure';
import { isObject } from '../../../nodes/shared/values';
import { credentialOf, node, operationOf, placeCall } from '../samples';

const type = { description: { properties: [] } } as unknown as INodeType;
const { expression } = new Workflow({
	id: 'test',
	nodes: [node],
	connections: {},
	active: false,
	nodeTypes: { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) },
});

/**
 * What the node reads of a run before anything is sent: parameters as they were entered, for items. Expressions are
 * evaluated by n8n; what its engine does around them is as simple as can be. The tests in `test/engine` have all of it.
 */
function runOf(parameters: INodeParameters, items: readonly IDataObject[]) {
	const input = items.map((json) => ({ json }));
	/** The parameters in the order in which they were read, e.g. "toNumber 0". */
	const reads: string[] = [];
	const getNodeParameter = (
		name: string,
		index: number,
		preset: unknown,
		more: { extractValue?: boolean; rawExpressions?: boolean } = {},
	) => {
		const entered = name
			.split('.')
			.reduce<unknown>((whole, part) => (isObject(whole) ? whole[part] : undefined), parameters);
		if (more.rawExpressions === true) return entered ?? preset;
		reads.push(`${name} ${index}`);
		const of = [null, 0, index, node.name, input, 'manual', {}] as const;
		const value: unknown = expression.getParameterValue((entered ?? preset) as string, ...of);
		return more.extractValue === true && isObject(value) ? value.value : value;
	};
	const own = { getNode: () => ({ ...node, parameters }), getInputData: () => input };
	const context = { ...own, getNodeParameter } as unknown as IExecuteFunctions;
	return { context, reads };
}

const CALL: INodeParameters = { ...placeCall, contactRules: {} };
export const [ada = {}, bob = {}, eve = {}] = [1, 2, 3].map((one): IDataObject => ({
	to: `+1555000100${one}`,
}));

export interface More {
	readonly credential?: IDataObject;
	readonly isTool?: boolean;
	readonly path?: string;
}

/** What becomes of items with the parameters of a call, but for these. */
export async function plan(
	entered: INodeParameters,
	items: readonly IDataObject[],
	{ credential, isTool = false, path = 'call.place' }: More = {},
) {
	const parameters = { ...CALL, ...entered };
	const { context, reads } = runOf(parameters, items);
	const operation = operationOf(path);
	const settings = checkCredential(credentialOf(credential));
	const run = await readItems(context, operation, settings, {
		isTool,
		isCheckOnly: settings.mode.kind === 'checkOnly',
	});
	const failures = run.items.map((one) => (isSendable(one) ? undefined : one.failure));
	return {
		...run,
		reads,
		failures,
		errors: failures.map((failure) => failure && messageOf(failure)),
		numbers: run.items.map((one) => (isSendable(one) ? one.request.body?.toNumber : undefined)),
	};
}
