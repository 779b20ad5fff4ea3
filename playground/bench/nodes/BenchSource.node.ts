import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { begin } from './probe';

/** Makes as many contacts as the webhook was asked for, and starts the clock. */
export class BenchSource implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bench Source',
		name: 'benchSource',
		group: ['transform'],
		version: 1,
		description: 'Makes contacts',
		defaults: { name: 'Bench Source' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	};

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
