import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import type { Operation } from '../declaration/operation';
import { failureOf, isAccepted, mayHaveBeenSent, type RunResult } from '../delivery/memory/entry';
import { describeFailures, summarize } from './summary';
import { addExecutionHints } from '../host';
import { nameOf } from '../outreach/person';
import type { EndedRun } from './endedRun';
import { CREDENTIAL } from '../request/transport';

/** A run with more items than this tells n8n's log how it comes on. */
const QUIET_RUN = 100;

/** In how many steps. */
const STEPS = 10;

/** The next click after a run in which somebody was or may have been reached, so that nobody is reached twice. */
const RETRY =
	'Do not execute the workflow again. If this execution is listed under Executions, retry it there.';

/** What to do if a retry would stop again at items that nobody can send. */
const RETRY_WITHOUT_STOP =
	'To leave the unknown items as they are, set "On Error" of this node to "Continue", and retry with the saved workflow.';

/**
 * What became of the items of a run that stops with an error, and what to do, in sentences; nothing if a single item was
 * not sent.
 */
export function summarizeStop(run: EndedRun): string {
	const { operation, results } = run;
	const unknown = describeUnknown(run);
	const outcomes = new Set(results.map((result) => failureOf(result)?.outcome));
	const canRetry = outcomes.has('refused') || outcomes.has('notSent');
	const hasAccepted = results.some(isAccepted);
	const mustRetry = (hasAccepted || unknown !== '') && !operation.repeatable;
	return joined([
		results.length > 1 ? `${summarize(operation, results)}.` : '',
		unknown === '' ? '' : `${unknown}.`,
		mustRetry ? RETRY : '',
		mustRetry && !canRetry && hasAccepted ? RETRY_WITHOUT_STOP : '',
	]);
}

/** Who may have been reached: "+4915112345678 (crm-4711) and 2 more may have been called"; nothing if nobody. */
export function describeUnknown({ operation, planned, results }: EndedRun): string {
	const unknown = results.flatMap((result, index) =>
		failureOf(result)?.outcome === 'unknown' ? [index] : [],
	);
	const [first] = unknown;
	if (first === undefined) return '';
	const contact = planned[first]?.contact;
	const name = contact ? nameOf(contact) : `Row ${first + 1}`;
	const others = unknown.length > 1 ? ` and ${unknown.length - 1} more` : '';
	const what = operation.reaches === undefined ? 'taken effect' : `been ${operation.reaches}`;
	return `${name}${others} may have ${what}`;
}

/** Says in the output panel what became of the items; nothing of a single item that was accepted in live mode. */
export function addHints(run: EndedRun): void {
	const { context, operation, mode, results, notices } = run;
	const [only] = results;
	if (only === undefined) return;
	if (results.length === 1 && isAccepted(only) && mode.kind === 'live') return;
	const unknown = describeUnknown(run);
	const failures = describeFailures(results);
	const isReached = results.some(mayHaveBeenSent);
	const hint: NodeExecutionHint = {
		message: joined([
			`${summarize(operation, results)}.`,
			describeMode(run),
			operation.reaches !== undefined && mode.kind !== 'checkOnly' && !isReached
				? 'Nobody was reached.'
				: '',
			failures,
			unknown === '' ? '' : `${unknown}: look it up at the service before you send it again.`,
			...notices,
		]),
		type: failures !== '' || notices.length > 0 ? 'warning' : 'info',
		location: 'outputPane',
	};
	addExecutionHints(context, hint);
}

const joined = (sentences: readonly string[]): string =>
	sentences.filter((sentence) => sentence !== '').join(' ');

function describeMode({ context, mode, results }: EndedRun): string {
	const name = context.getNode().credentials?.[CREDENTIAL]?.name;
	const credential = name === undefined ? 'the credential' : `the credential "${name}"`;
	switch (mode.kind) {
		case 'live':
			return '';
		case 'checkOnly':
			return results.some((result) => 'checked' in result)
				? `Nothing was sent: ${credential} only checks. To go live, open it and set "Mode" to "Live".`
				: '';
		case 'redirect':
			return `Calls and messages go to ${mode.testNumber} instead: ${credential} redirects.`;
	}
}

/** Writes to n8n's log what became of the items of a cancelled run: n8n saves nothing of it. */
export function logCancelled({ context, operation, results }: EndedRun): void {
	context.logger.info(`${context.getNode().name}: canceled. ${summarize(operation, results)}`);
}

/** Writes to n8n's log how a long run comes on, every tenth of its items and at its end. */
export function createProgressLog(
	context: IExecuteFunctions,
	operation: Operation,
	items: number,
): (results: readonly RunResult[]) => void {
	if (items <= QUIET_RUN) return () => undefined;
	const { name } = context.getNode();
	let done = 0;
	let step = 1;
	return (results) => {
		done++;
		if (done < items && done < (items * step) / STEPS) return;
		while (done >= (items * step) / STEPS) step++;
		const ended = done < items ? `${done} of ${items} items have ended. ` : '';
		context.logger.info(`${name}: ${ended}${summarize(operation, results.filter(Boolean))}`);
	};
}
