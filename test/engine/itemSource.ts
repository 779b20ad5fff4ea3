import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

/** A node that starts a test workflow with given items. */
export class ItemSource implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Items',
		name: 'itemSource',
		group: ['trigger'],
		version: 1,
		description: 'Puts out the items of its parameter',
		defaults: { name: 'Items' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [{ displayName: 'Items', name: 'items', type: 'json', default: '[]' }],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = JSON.parse(this.getNodeParameter('items', 0) as string) as IDataObject[];
		return await Promise.resolve([items.map((json) => ({ json }))]);
	}
}
