import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import type { Operation } from './declaration/operation';
import { failureOf, isAccepted, type RunResult } from './delivery/memory/entry';
import { summarize } from './delivery/summary';
import { addExecutionHints } from './host';
import type { EndedRun } from './putOut';
import type { Mode } from './request/credential';

/** A run with more items than this tells n8n's log how it comes on. */
const QUIET_RUN = 100;

/** In how many steps. */
const STEPS = 10;

/** What to do about items of which nobody can say whether they took effect. */
const UNKNOWN =
	'Items with an unknown outcome may have taken effect: look them up at the service before you send them again.';

const MODE_HINTS: Readonly<Record<Mode['kind'], string>> = {
	live: '',
	checkOnly: 'The credential only checks: nothing that reaches people or changes data was sent.',
	redirect: 'The credential redirects: calls and messages go to its test number.',
};

/** What to do after a run that stopped, so that nobody is reached twice. */
const RETRY = 'To continue, retry this execution: a new one would send the accepted items again.';
const RETRY_WITHOUT_STOP =
	'Do not start a new execution: it would send the accepted items again. To leave the unknown items as they are, set On Error of this node to Continue and retry with the saved workflow.';

/** What became of the items of a run that stops with an error, in sentences; nothing for a single item. */
export function summarizeRun({ operation, results }: EndedRun): string {
	if (results.length < 2) return '';
	const outcomes = new Set(results.map((result) => failureOf(result)?.outcome));
	const canRetry = outcomes.has('refused') || outcomes.has('notSent');
	const advice = results.some(isAccepted) ? [canRetry ? RETRY : RETRY_WITHOUT_STOP] : [];
	return [`${summarize(operation, results)}.`, ...advice].join(' ');
}

/** Says in the output panel what became of the items; nothing of a single item that was accepted in live mode. */
export function addHints(run: EndedRun): void {
	const { context, operation, mode, results } = run;
	const [only] = results;
	if (only === undefined) return;
	if (results.length === 1 && isAccepted(only) && mode.kind === 'live') return;
	const hasUnknown = results.some((result) => failureOf(result)?.outcome === 'unknown');
	const sentences = [
		`${summarize(operation, results)}.`,
		MODE_HINTS[mode.kind],
		hasUnknown ? UNKNOWN : '',
		run.notice,
	];
	const hint: NodeExecutionHint = {
		message: sentences.filter((sentence) => sentence !== '').join(' '),
		type: hasUnknown || run.notice !== '' ? 'warning' : 'info',
		location: 'outputPane',
	};
	addExecutionHints(context, hint);
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
