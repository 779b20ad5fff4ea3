import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { benchNode } from './description';
import { countExecution } from './executions';

/** The event's own property, wherever the runner has put it. */
function referenceOf(json: IDataObject): string {
	const { body, variables } = json as { body?: IDataObject; variables?: IDataObject };
	const references = [json, body, variables].map((part) => part?.reference);
	return references.find((reference) => typeof reference === 'string') ?? '';
}

/** Counts the execution of an event. */
export class BenchSeen implements INodeType {
	description = benchNode('Seen', 'Counts executions');

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		for (const { json } of this.getInputData()) countExecution(referenceOf(json));
		return await Promise.resolve([[{ json: {}, pairedItem: { item: 0 } }]]);
	}
}
