import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import type { Operation } from '../declaration/operation';
import { failureOf, isAccepted, mayHaveBeenSent, type RunResult } from '../delivery/result';
import { describeFailures, summarize } from './summary';
import { addExecutionHints } from '../host';
import { nameOf } from '../outreach/person';
import type { EndedRun } from './endedRun';
import { asSent } from '../request/planned';
import { CREDENTIAL } from '../request/transport';

/** A run with more items than this tells n8n's log how it comes on. */
const QUIET_RUN = 100;

/** In how many steps. */
const STEPS = 10;

/** After a run in which somebody was or may have been reached. */
const NOT_AGAIN = 'Do not execute the workflow again.';

/** The next click, what it does, and which of n8n's two retries it has to be after a correction. */
const describeRetry = ({ reaches }: Operation): string =>
	`If this execution is listed under Executions, retry it there. A retry skips ${reaches === undefined ? 'what was accepted' : `whoever was ${reaches}`} already, and takes a corrected workflow only with "Retry with currently saved workflow".`;

/** What to do about failed items of a run that went on: n8n does not retry an execution that succeeded. */
const SEND_ALONE =
	'Do not execute the workflow again for all: correct the rows that were refused or not sent, and execute it with these alone.';

/** What to do if a retry has nothing to send, and would stop again at the unknown items. */
const RETRY_WITHOUT_STOP =
	'A plain retry stops at the unknown items again: to go on without them, set "On Error" of this node to "Continue" before you retry with the saved workflow.';

/**
 * What became of the items of a run that stops with an error, and what to do, in sentences; nothing if a single item was
 * not sent.
 *
 * @param headline what the headline says of people, which is not said again
 */
export function summarizeStop(run: EndedRun, headline: string): string {
	const { operation, results } = run;
	const unknown = describeUnknown(run);
	const outcomes = new Set(results.map((result) => failureOf(result)?.outcome));
	const canRetry = outcomes.has('refused') || outcomes.has('notSent');
	const mustRetry = mustNotRunAgain(run);
	return joined([
		...(results.length > 1 ? [`${summarize(operation, results)}.`, describeNobody(run)] : []),
		unknown === '' || headline.endsWith(unknown) ? '' : `${unknown}.`,
		...(mustRetry ? [NOT_AGAIN, canRetry ? describeRetry(operation) : RETRY_WITHOUT_STOP] : []),
	]);
}

/**
 * Who may have been reached: "+4915112345678 (crm-4711) and 2 more may have been called", or, with a redirection, "The test
 * number may have been called for …"; nothing if nobody.
 */
export function describeUnknown({ operation, mode, planned, results }: EndedRun): string {
	const unknown = results.flatMap((result, index) =>
		failureOf(result)?.outcome === 'unknown' ? [index] : [],
	);
	const sentNow = unknown.filter((index) => {
		const result = results[index];
		return result !== undefined && failureOf(result)?.isOfEarlierTry !== true;
	});
	const named = sentNow.length > 0 ? sentNow : unknown;
	const [first] = named;
	if (first === undefined) return '';
	const { reaches } = operation;
	const item = planned[first];
	const contact = item && asSent(item).contact;
	const what = reaches === undefined ? 'The request' : contact ? 'The person' : 'The people';
	const others = named.length > 1 ? ` and ${named.length - 1} more` : '';
	const before = unknown.length - named.length;
	const earlier = before > 0 ? `, and ${before} in an earlier try` : '';
	const name = contact?.toNumber ? nameOf(contact) : `${what} of row ${first + 1}`;
	const names = name + others;
	const may = `may have ${reaches === undefined ? 'taken effect' : `been ${reaches}`}`;
	return mode.kind === 'redirect' && contact
		? `The test number ${may} for ${names.replace(/^The/, 'the')}${earlier}`
		: `${names} ${may}${earlier}`;
}

/** Says in the output panel what became of the items; nothing of a single item that was accepted in live mode, unless there is a notice. */
export function addHints(run: EndedRun): void {
	const { context, operation, mode, results, notices } = run;
	const [only] = results;
	if (only === undefined) return;
	const isPlain = results.length === 1 && isAccepted(only) && mode.kind === 'live';
	if (isPlain && notices.length === 0) return;
	const unknown = describeUnknown(run);
	const failures = describeFailures(results);
	const hint: NodeExecutionHint = {
		message: joined([
			`${summarize(operation, results)}.`,
			...notices,
			describeMode(run),
			describeNobody(run),
			failures,
			unknown === '' ? '' : `${unknown}: look it up at the service first.`,
			failures !== '' && mustNotRunAgain(run) ? SEND_ALONE : '',
		]),
		type: failures !== '' || notices.length > 0 ? 'warning' : 'info',
		location: 'outputPane',
	};
	addExecutionHints(context, hint);
}

/** Says of an operation that reaches people that it reached none; in *Check Only*, the mode says so. */
const describeNobody = ({ operation, mode, results }: EndedRun): string =>
	operation.reaches === undefined || mode.kind === 'checkOnly' || results.some(mayHaveBeenSent)
		? ''
		: 'Nobody was reached.';

/** True if the same run once more would reach somebody again, or add something twice. */
const mustNotRunAgain = ({ operation, results }: EndedRun): boolean =>
	!operation.repeatable && results.some(mayHaveBeenSent);

const joined = (sentences: readonly string[]): string =>
	sentences.filter((sentence) => sentence !== '').join(' ');

function describeMode({ context, mode, results }: EndedRun): string {
	const name = context.getNode().credentials?.[CREDENTIAL]?.name;
	const credential = name === undefined ? 'the credential' : `the credential "${name}"`;
	switch (mode.kind) {
		case 'live':
			return '';
		case 'checkOnly':
			return joined([
				results.some((result) => !('accepted' in result))
					? `Nothing was sent: ${credential} only checks.`
					: '',
				results.some((result) => 'checked' in result)
					? 'To go live, choose a credential in the mode "Live". If you change the mode of this one instead, every node with it goes live.'
					: '',
			]);
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
