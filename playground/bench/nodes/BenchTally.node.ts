import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { executions, forgetExecutions } from './executions';
import { begin, end } from './probe';

/** Begins a run, says how many events were executed so far, or ends it: whatever the webhook was asked for. */
export class BenchTally implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bench Tally',
		name: 'benchTally',
		group: ['transform'],
		version: 1,
		description: 'Says what was executed, and what it cost',
		defaults: { name: 'Bench Tally' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { body } = this.getInputData()[0]?.json ?? {};
		const { step, profileFile } = body as IDataObject;
		const json: IDataObject = {};
		if (step === 'begin') {
			forgetExecutions();
			await begin(typeof profileFile === 'string' ? profileFile : undefined);
		} else if (step === 'end') {
			json.cost = { ...(await end()) };
			json.executions = { ...executions() };
		} else {
			json.executed = executions().counts.reduce((sum, [, times]) => sum + times, 0);
		}
		return [[{ json, pairedItem: { item: 0 } }]];
	}
}
