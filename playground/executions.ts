import type { IDataObject, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';
import type { SavedExecution } from './restTypes';

export const UNFINISHED: readonly string[] = ['new', 'running', 'waiting'];

/** Whether an execution has ended and all of it is saved. */
export const hasEnded = ({ status, data }: SavedExecution): boolean =>
	!UNFINISHED.includes(status) && !isIncomplete(status, data);

/** Older ones save what came out a moment after the status. */
const isIncomplete = (status: string, data: IRunExecutionData | undefined): boolean =>
	['success', 'error'].includes(status) &&
	data?.resultData.error === undefined &&
	Object.keys(data?.resultData.runData ?? {}).length === 0;

/** The items that left a node in its last run, by output. */
export function outputOf(execution: SavedExecution, nodeName: string): INodeExecutionData[][] {
	const runs = execution.data.resultData.runData[nodeName] ?? [];
	return (runs.at(-1)?.data?.main ?? []).map((items) => items ?? []);
}

/** What left a node in its last run, whatever the output. */
export const itemsOf = (execution: SavedExecution, nodeName: string): IDataObject[] =>
	outputOf(execution, nodeName)
		.flat()
		.map(({ json }) => json);
