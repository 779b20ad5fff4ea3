import type { Operation } from '../declaration/operation';
import { failureOf, mayHaveBeenSent } from '../delivery/result';
import { limitsContacts } from '../outreach/contactRules';
import { isUnsendable, notAgainWithin, plansOf } from '../request/planned';
import { joinTexts } from '../values';
import type { EndedRun } from './endedRun';
import type { FailedRow } from './summary';
import {
	describeLookup,
	describeSettled,
	executionsOfUnknown,
	findInBook,
	hasOpenItems,
	isSendAgainSet,
	namesOfUnknown,
	settleRows,
} from './unknownItems';

/** After a run in which somebody was or may have been reached. */
export const NOT_AGAIN = 'Do not execute the workflow again.';

/** Before a retry of what reaches people by their numbers. */
const keepNumbers = ({ recipient }: Operation): string =>
	recipient === 'toNumber'
		? 'Leave the numbers as they are: with another one, a row counts as another person, and a retry sends it.'
		: '';

/** The next click, what it does, and which of n8n's two retries it has to be after a correction. */
const describeRetry = ({ operation: { reaches }, mode }: EndedRun): string =>
	`If this execution is listed under Executions, retry it there. A retry${mode.kind === 'redirect' ? ' in the same mode' : ''} skips ${reaches === undefined ? 'what was accepted' : `whoever was ${reaches}`} already, and takes a corrected workflow only with "Retry with currently saved workflow".`;

/** An earlier node, or an earlier round of a loop, may have reached people: a new execution would reach them again. */
const RETRY_AFTER =
	'To go on, correct this, and retry this execution, if it is listed under Executions: with the currently saved workflow, if you changed it.';

/** See {@link isToBeCorrected}. */
const RETRY_FIRST = `${RETRY_AFTER} If items are still unknown then, the error of the retry says what to do about them.`;

const CORRECT_ROWS =
	'Correct the rows where they come from, and execute the workflow anew; or set "On Error" of this node to "Continue" (tab Settings), which leaves them out.';

/** The rows of a retry are those that the execution has read. */
const UNLESS_REACHED =
	'If another node, or an earlier round of a loop, has reached people before, do not execute it anew: set "On Error" to "Continue", and retry this execution with the currently saved workflow.';

const RETRY_SAVED =
	'save without publishing (n8n may save by itself), and retry this execution with the currently saved workflow';

/** With "Send Again", a retry would send the unknown items instead of going on without them. */
const goOnWithout = (run: EndedRun): string =>
	`set ${isSendAgainSet(run) ? '"If Unsure Whether It Was Sent" of this node back to "Do Not Send Again", and its "On Error"' : '"On Error" of this node'} to "Continue", ${RETRY_SAVED}`;

const SET_BACK =
	'Then set the option back: a later retry of another list would send again without asking.';

const sendAgain = (run: EndedRun): string =>
	isSendAgainSet(run)
		? 'leave "If Unsure Whether It Was Sent" of this node at "Send Again", and retry this execution'
		: `set "If Unsure Whether It Was Sent" in the options of this node to "Send Again", ${RETRY_SAVED}`;

/** True if the same run once more would reach somebody again, or add something twice. */
export const mustNotRunAgain = ({ operation, results }: EndedRun): boolean =>
	!operation.repeatable && results.some(mayHaveBeenSent);

/** True if the rules of this node hold back all whom it has or may have reached, if the same run happens once more. */
export function holdsBackAgain({ planned, results }: EndedRun): boolean {
	const plans = plansOf(planned);
	return results.every(
		(result, index) => !mayHaveBeenSent(result) || notAgainWithin(plans[index]) > 0,
	);
}

/** The items that were not sent because of values of their own. */
export const badRows = ({ planned, results }: EndedRun): FailedRow[] =>
	[...results.entries()].flatMap(([index, result]) => {
		const item = planned[index];
		const isBad = item && isUnsendable(item) && item.isRefusedWithRun !== true;
		const failure = failureOf(result);
		return isBad && failure && failure === item.failure ? [{ row: index + 1, failure }] : [];
	});

/** Whether items are unknown, and whether others were refused or not sent. */
export function whatFailed(results: EndedRun['results']) {
	const outcomes = new Set(results.map((result) => failureOf(result)?.outcome));
	return {
		isUnknown: outcomes.has('unknown'),
		isUnsent: outcomes.has('refused') || outcomes.has('notSent'),
	};
}

/**
 * What to do after a run that has stopped with an error: paragraphs, those about items of which nobody can say whether they
 * were sent with numbers. Nothing for a single item that was not sent, nor for an AI agent, which has other advice.
 *
 * @param isOfRows true if rows have to be corrected ({@link badRows})
 */
export function nextSteps(run: EndedRun, isOfRows: boolean): string[] {
	const { host, operation, mode, results } = run;
	if (host.tool !== undefined) return [];
	if (!mustNotRunAgain(run)) {
		if (operation.reaches === undefined || results.length === 1) return [];
		if (mode.kind === 'checkOnly') return isOfRows ? [CORRECT_ROWS] : [];
		return [isOfRows ? `${CORRECT_ROWS} ${UNLESS_REACHED}` : RETRY_AFTER];
	}
	const { isUnknown, isUnsent } = whatFailed(results);
	const before = joinTexts([NOT_AGAIN, keepNumbers(operation)]);
	if (!isUnknown) return [`${before} ${describeRetry(run)}`];
	if (isToBeCorrected(run)) return [before, RETRY_FIRST];
	const rest = isUnsent ? ', and what was refused or not sent' : '';
	const steps = run.findsRows ? settleInBook(run, rest) : settleByOption(run, rest);
	return [
		before,
		...(steps.length === 1 ? steps : steps.map((step, index) => `${index + 1}. ${step}`)),
		...(run.findsRows
			? [`Or, to leave them as they are and go on, ${goOnWithout(run)}. Then set "On Error" back.`]
			: []),
	];
}

/**
 * True if a retry can only say what became of unknown items once something is corrected: the contact book could not be read, or
 * an item was sent by an earlier try, and has been made unsendable since.
 */
const isToBeCorrected = ({ planned, refusal, results, usesBook }: EndedRun): boolean =>
	(usesBook && refusal !== undefined) ||
	results.some((result, index) => {
		const item = planned[index];
		return item && isUnsendable(item) && failureOf(result)?.outcome === 'unknown';
	});

/** Of the unknown items, what is to be sent after the lookup. */
export const notReached = ({ operation: { reaches } }: EndedRun): string =>
	reaches === undefined ? 'what did not take effect' : `whoever was not ${reaches}`;

/** @param rest what a retry sends beside the unknown items */
function settleInBook(run: EndedRun, rest: string): string[] {
	const { reaches = 'reached' } = run.operation;
	const settled = describeSettled(run);
	if (!hasOpenItems(run))
		return [`${settled} To send these${rest}, ${sendAgain(run)}. ${SET_BACK}`];
	return [
		joinTexts([
			`${findInBook('the rows', executionsOfUnknown(run))}: ${namesOfUnknown(run)}. If there are none any more, go on with step 3.`,
			settled,
		]),
		`${describeLookup(run)}. ${settleRows(reaches)}`,
		`Then ${sendAgain(run)}: it skips those with "accepted", and sends the others, also those that still say "unknown" or "claimed"${rest}. Do not stop it: for rows that still say "claimed" it waits up to ten minutes. ${SET_BACK}`,
	];
}

/** @param rest what a retry sends beside the unknown items */
function settleByOption(run: EndedRun, rest: string): string[] {
	const { reaches } = run.operation;
	const [none, some] =
		reaches === undefined ? ['took effect', 'took effect'] : [`was ${reaches}`, `were ${reaches}`];
	const goesOn = rest === '' ? '' : ', and sends what was refused or not sent';
	return [
		`${describeLookup(run)}: ${namesOfUnknown(run, ' (the retry of step 3 puts all out; step 2 can still be done after it, with this execution)')}.`,
		`If none of these ${none}, ${sendAgain(run)}: it sends all of these${rest}. ${SET_BACK}`,
		`If some of these ${some}, ${goOnWithout(run)}: it goes on without them${goesOn}. Then set "On Error" back, and send ${notReached(run)}, in a list of its own${exceptRules(run)}.`,
	];
}

/** How somebody is sent whom the rules hold back, since nobody can say whether they were reached. */
export const exceptRules = ({ planned }: EndedRun): string =>
	plansOf(planned).some((plan) => plan?.contact && limitsContacts(plan.contact.rules))
		? ', once their outcome in the contact book is "notMade"'
		: '';
