import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import type { Failure } from '../answer/failure';
import { describeFailure } from '../answer/nodeError';
import type { Operation } from '../declaration/operation';
import { NOT_SENT } from '../delivery/ledger/bookRows';
import { failureOf, isAccepted, mayHaveBeenSent, type RunResult } from '../delivery/result';
import { CREDENTIAL } from '../request/transport';
import { joinTexts } from '../values';
import type { EndedRun } from './endedRun';
import {
	badRows,
	exceptRules,
	holdsBackAgain,
	mustNotRunAgain,
	nextSteps,
	NOT_AGAIN,
	notReached,
	whatFailed,
} from './nextSteps';
import { describeFailures, describeReasons, summarize, type FailedRow } from './summary';
import {
	describeEarlierTries,
	describeUnknown,
	describeUnsettled,
	hasOpenItems,
	inBook,
} from './unknownItems';

/** A run with more items than this tells n8n's log how it comes on. */
const QUIET_RUN = 100;

/** In how many steps. */
const STEPS = 10;

/** n8n shows the description of an error, and a hint, as HTML. */
const NEW_LINE = '<br>';

/**
 * What to do after a run that went on, since n8n does not retry an execution that succeeded, in lines: whether the workflow
 * may be executed again (nothing if nothing failed or nobody was reached), who is unknown, and what to do about items that
 * were not sent.
 */
function describeNext(run: EndedRun): string[] {
	const { isUnknown, isUnsent } = whatFailed(run.results);
	const lookup = describeUnknown(run);
	if (!mustNotRunAgain(run) || !(isUnknown || isUnsent)) return [lookup];
	const isHeldBack = holdsBackAgain(run);
	const again = isHeldBack
		? `If the workflow is executed again, "Not Again Within" of this node holds back whoever was ${run.operation.reaches ?? 'reached'}, for the hours that it says. Other nodes need rules of their own.`
		: isUnsent
			? 'Do not execute the workflow again with all rows.'
			: NOT_AGAIN;
	if (!isUnsent) return [again, `${lookup} ${settleUnknown(run)}`];
	const alone = isHeldBack ? '' : ' alone, e.g. with a Filter node before this one';
	const others = isUnknown
		? ` Of those that are unknown, send ${notReached(run)}, too${exceptRules(run)}.`
		: '';
	const correct = `Correct the rows that were refused or not sent, and send these${alone}.${others}`;
	return [again, lookup, correct];
}

/** What becomes of those who may have been reached, once that was looked up. */
function settleUnknown(run: EndedRun): string {
	const { operation, usesBook } = run;
	if (!hasOpenItems(run)) return 'Send whom these items are for in a list of its own.';
	const send = `Then send ${notReached(run)}, in a list of its own${exceptRules(run)}.`;
	return usesBook ? `${inBook(operation.reaches ?? 'reached')} ${send}` : send;
}

/** What the error of a run that stops says beside its message: what became of all items, and what to do. */
export function describeStop(run: EndedRun, failure: Failure): string {
	const bad = badRows(run);
	const counts =
		run.results.length > 1 ? [describeAll(run), ...describeOtherRows(run, bad, failure)] : [];
	const [next = '', ...steps] = nextSteps(run, bad.length > 0);
	const refusal = describeRefusal(run, failure);
	const lines = [
		...counts,
		refusal,
		describeRedirection(run),
		describeEarlierTries(run, false),
		next,
	];
	const more = joinTexts(lines, NEW_LINE);
	return joinTexts([describeFailure(failure, more, NEW_LINE), ...steps], NEW_LINE);
}

/**
 * Says in the output panel what became of the items, with a line for each matter; nothing of a single item that was accepted
 * in live mode, unless there is a notice.
 */
export function addHints(run: EndedRun): void {
	const { context, mode, results } = run;
	const ofPeople = [describeRefusal(run), describeEarlierTries(run, true), describeUnsettled(run)];
	const notices = [...ofPeople, ...run.notices].filter((text) => text !== '');
	const [only] = results;
	if (only === undefined) return;
	const isPlain = results.length === 1 && isAccepted(only) && mode.kind === 'live';
	if (isPlain && notices.length === 0) return;
	const failures = describeFailures(results);
	// n8n shows about ten lines, and scrolls the others: what to do comes before the reasons.
	const lines = [
		describeAll(run),
		...describeNext(run),
		describeMode(run),
		...notices,
		...failures,
	];
	const hint: NodeExecutionHint = {
		message: joinTexts(lines, NEW_LINE),
		type: failures.length > 0 || notices.length > 0 ? 'warning' : 'info',
		location: 'outputPane',
	};
	context.addExecutionHints(hint);
}

/** The other rows that have to be corrected and why, in lines, so that it can be done at once; none if there are none. */
function describeOtherRows(run: EndedRun, bad: readonly FailedRow[], named: Failure): string[] {
	const others = bad.filter(({ failure }) => failure !== named);
	if (others.length === 0 || run.host.tool !== undefined) return [];
	const [rows, are] = others.length === 1 ? ['row', 'it is'] : ['rows', 'they are'];
	const heading = `${others.length} other ${rows} cannot be sent as ${are}, either`;
	return describeReasons(heading, others);
}

/**
 * Why the recipients could not be looked up, if nothing else says it: items that an earlier try may have sent stay unknown.
 *
 * @param named the failure of the error; absent if the failures of all items are named
 */
function describeRefusal({ refusal, results }: EndedRun, named?: Failure): string {
	if (refusal === undefined) return '';
	const told = named === undefined ? results.map(failureOf) : [named];
	if (told.some((failure) => failure?.message.startsWith(refusal.message))) return '';
	return `Nothing more was sent: ${refusal.message.replace(NOT_SENT, '')}. ${refusal.hint}`;
}

/** What became of the items, in numbers. */
const describeAll = (run: EndedRun): string =>
	joinTexts([`${summarize(run.operation, run.results)}.`, describeNobody(run)]);

/** Says of an operation that reaches people that it reached none; in *Check Only*, the mode says so. */
const describeNobody = ({ operation, mode, results }: EndedRun): string =>
	operation.reaches === undefined || mode.kind === 'checkOnly' || results.some(mayHaveBeenSent)
		? ''
		: 'This run reached nobody.';

/** Of a run that has stopped: whom its calls went to, and what a retry in another mode does. */
const describeRedirection = (run: EndedRun): string =>
	run.mode.kind === 'redirect' && mustNotRunAgain(run)
		? `${describeMode(run)} A retry in the mode "Live" sends these items to the people themselves.`
		: '';

function describeMode({ context, mode, results }: EndedRun): string {
	const name = context.getNode().credentials?.[CREDENTIAL]?.name;
	const credential = name === undefined ? 'the credential' : `the credential "${name}"`;
	switch (mode.kind) {
		case 'live':
			return '';
		case 'checkOnly':
			return joinTexts([
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
