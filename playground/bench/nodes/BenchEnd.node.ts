import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { end } from './probe';

/** Stops the clock, and puts out one item: what the run cost, which the webhook answers. */
export class BenchEnd implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bench End',
		name: 'benchEnd',
		group: ['transform'],
		version: 1,
		description: 'Says what the run cost',
		defaults: { name: 'Bench End' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const cost = await end();
		return [[{ json: { ...cost }, pairedItem: { item: 0 } }]];
	}
}
