import { sleep, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { newest } from '../book/bookTransport';
import type { BookRow } from '../book/columns';
import { toBookProblem } from '../book/bookProblem';
import type { TableApi } from '../book/tableApi';
import { readResumeUrl, type Host } from '../host';
import { DAY, HOUR } from '../time/clock';
import { doneOrAborted } from '../time/wait';
import { digest } from '../values';
import { callIdsOf, isGoingOn, withEnds, type Waiting } from './calls';
import { resume } from './resume';
import { adoptCalls, rowsOfWait } from './rowsOfWait';

/** How much later than its end a wait is looked at: the clocks of two processes differ. */
const MARGIN = 1_000;

/** How much later n8n itself goes on, for a process that has died. n8n looks once in a minute. */
const NET = 4 * 60_000;

/** The key of what is known of the wait, in n8n's context of the node. */
export const STORE_KEY = 'waiting';

/** What ends the timers of executions that wait, by the name of the wait, until it is over. */
export const waits = new Map<string, AbortController>();

/** Names a run that is to wait, and where it can be resumed. */
export function nameWait(context: IExecuteFunctions, host: Host): Waiting {
	const { id } = context.getNode();
	const { executionId, retryToken, runIndex } = host;
	const [address = '', query] = readResumeUrl(context).split('?');
	// With the ID of the node, a late request resumes no later node that waits.
	const resumeUrl = `${address}/${encodeURIComponent(id)}${query === undefined ? '' : `?${query}`}`;
	return { wait: digest([id, retryToken || executionId, runIndex].join(' ')), resumeUrl };
}

interface Calls {
	readonly waiting: Waiting;
	/** Opens the contact book. */
	readonly open: () => Promise<TableApi>;
	/** The output of the run. */
	readonly items: readonly INodeExecutionData[];
	/** True if an earlier try may have placed calls. */
	readonly isLaterTry: boolean;
	/** In hours. */
	readonly waitAtMost: number;
}

/**
 * Puts the execution to wait until the calls of a run have ended, also those of its earlier tries.
 *
 * @returns the items with what is known of the calls: the output if there is nothing to wait for
 */
export async function waitForCalls(
	context: IExecuteFunctions,
	{ waiting, open, items, isLaterTry, waitAtMost }: Calls,
): Promise<INodeExecutionData[]> {
	let rows: BookRow[] = [];
	let isToWait: boolean;
	try {
		const table = await open();
		if (isLaterTry) await adoptCalls(table, waiting, callIdsOf(items));
		rows = await rowsOfWait(table, waiting.wait);
		isToWait = rows.some(isGoingOn);
	} catch (error) {
		// What is waited for is looked up again when the wait is to end.
		isToWait = callIdsOf(items.filter(({ json }) => json.ended === null)).length > 0;
		context.logger.warn(`${context.getNode().name}: ${toBookProblem(error).message}`);
	}
	const itemsSoFar = withEnds(items, rows, null);
	if (!isToWait) return itemsSoFar;
	const until = Date.now() + waitAtMost * HOUR;
	context.getContext('node')[STORE_KEY] = { wait: waiting.wait, until };
	const executeData = context.getExecuteData();
	// n8n disables this entry's node when it resumes it. Other runs of the node have the same object.
	executeData.node = { ...executeData.node };
	// What n8n passes on when its own limit is over, and what the node completes when it is resumed.
	// A copy: n8n empties a list that is put out by two outputs.
	executeData.data = { main: [[...itemsSoFar]] };
	await context.putExecutionToWait(new Date(until + NET));
	newest.context = context;
	void resumeAt(waiting, until + MARGIN);
	return itemsSoFar;
}

/** Resumes the execution when the time is over, unless it has gone on in this process before. */
async function resumeAt(waiting: Waiting, at: number): Promise<void> {
	const timerEnd = new AbortController();
	waits.set(waiting.wait, timerEnd);
	// A timer of more than 2^31 ms fires at once.
	for (let left = at - Date.now(); left > 0; left = at - Date.now()) {
		await doneOrAborted(sleep(Math.min(left, DAY)), timerEnd.signal);
		if (timerEnd.signal.aborted) return;
	}
	waits.delete(waiting.wait);
	if (newest.context) await resume(newest.context, waiting);
}
