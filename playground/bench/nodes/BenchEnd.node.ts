import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { benchNode } from './description';
import { end } from './probe';

/** Stops the clock, and puts out one item: what the run cost, which the webhook answers. */
export class BenchEnd implements INodeType {
	description = benchNode('End', 'Says what the run cost');

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const cost = await end();
		return [[{ json: { ...cost }, pairedItem: { item: 0 } }]];
	}
}
