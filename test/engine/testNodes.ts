import {
	NodeConnectionTypes,
	type IDataObject,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

/** A node type of tests: what it does, and what n8n has to know of it beside the usual. */
export const nodeTypeOf = (
	name: string,
	execute: INodeType['execute'],
	more: Partial<INodeTypeDescription> = {},
): INodeType => ({
	description: {
		displayName: name,
		name,
		group: ['transform'],
		version: 1,
		description: name,
		defaults: { name },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
		...more,
	},
	execute,
});

/** Starts a test workflow with the items of its parameter. */
export const itemSource = nodeTypeOf(
	'Items',
	async function () {
		const items = JSON.parse(this.getNodeParameter('items', 0) as string) as IDataObject[];
		return await Promise.resolve([items.map((json) => ({ json }))]);
	},
	{
		inputs: [],
		properties: [{ displayName: 'Items', name: 'items', type: 'json', default: '[]' }],
	},
);
