import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { benchNode } from './description';
import { executions, forgetExecutions } from './executions';
import { begin, end } from './probe';

/** Begins a run, says how many events were executed so far, or ends it: whatever the webhook was asked for. */
export class BenchTally implements INodeType {
	description = benchNode('Tally', 'Says what was executed, and what it cost');

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
