import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { benchNode } from './description';
import { begin } from './probe';

/** Makes as many contacts as the webhook was asked for, and starts the clock. */
export class BenchSource implements INodeType {
	description = benchNode('Source', 'Makes contacts');

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { body } = this.getInputData()[0]?.json ?? {};
		const { count, assistantId, fromNumber, profileFile } = body as IDataObject;
		const items = Array.from({ length: Number(count) }, (_, index) => ({
			json: { assistantId, from: fromNumber, to: `+4915${String(index).padStart(8, '0')}` },
			pairedItem: { item: 0 },
		}));
		await begin(typeof profileFile === 'string' ? profileFile : undefined);
		return [items];
	}
}
