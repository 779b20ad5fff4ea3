import { failureOf, mayHaveBeenSent } from '../delivery/outcome';
import { nameOf } from '../rules/person';
import { isSendable, phoneOf, type Item } from '../items/item';
import { joinTexts, listFirst, MOST_LISTED } from '../values';
import type { EndedRun } from './endedRun';

/** What to do after failures: a fixed text for each case; a sub-workflow's caller shows it, too. */
const NEXT = {
	/** Nothing took effect and the run has stopped, or a list can be run again. */
	correct:
		'Correct this, then run the workflow again, if no other node of it has sent anything. To skip rows that cannot be sent, set "On Error" of this node to "Continue".',
	/** Something took effect and the run stopped, or an earlier try's effect was not looked up. */
	retry: `Do not run the workflow again: what was accepted could be sent twice. Correct the node or the credential, and retry this execution: a retry skips what was accepted. A changed number, chat or paragraph counts as new, and so does all if you change the contact book. Retry a sub-workflow's own execution, not its caller's. If a row itself is wrong, set "On Error" to "Continue", and retry. Then send the corrected row in a list of its own. Where n8n offers no retry, look up who was contacted.`,
	/** The run went on after its failures: n8n does not retry an execution that succeeded. */
	ownList:
		'Do not run the workflow again with all rows. Send the rows that failed in a list of their own.',
	/** The same under a list: the next run leaves them out, with *No Result After* for so long. */
	lookUpOnList:
		'Look up unknown ones at the service. In the contact book, set their "outcome" to "accepted" and "contactId" to their ID if they were sent, else to "notMade".',
	/** Nobody knows of some items, which hold people back under *Not Again Within*. */
	lookUp: `Do not run the workflow again with all rows. Look up unknown ones at the service. With a contact book, set their "outcome" there to "accepted" if they were sent, else to "notMade". Did this execution fail, and are all settled so, or all named and none sent? Set "If Unsure Whether It Was Sent" to "Send Again" for one retry, without "Retry On Fail". Else, if it failed, choose "Do Not Send Again", set "On Error" to "Continue", and retry. Retry a sub-workflow's own execution, not its caller's. Then send rows that still fail, and were not sent, in a list of their own.`,
};

/** What a setting does that is easily left on. */
const SENDS_AGAIN =
	'"If Unsure Whether It Was Sent" is "Send Again": a retry sends unknown items again.';

/**
 * Says whether the workflow once more may reach somebody or add something twice. What other rounds
 * of a loop or runs of a sub-workflow sent is not known here, nor always what an earlier try did.
 */
export const mustNotRunAgain = ({ host, notes, operation, outcomes }: EndedRun): boolean =>
	!operation.repeatable &&
	(host.isRetry ||
		host.isSubWorkflow ||
		notes.hasEarlier ||
		Number(host.runIndex) > 0 ||
		outcomes.some(mayHaveBeenSent));

/**
 * Gives the one next step after a run that stopped at failures, or `wentOn`; nothing for an AI
 * agent, which has other advice, and where the failure of a single item says all.
 */
export function nextStep(run: EndedRun, wentOn: boolean): string {
	const { host, checkedBy, operation, outcomes, memory } = run;
	const failures = outcomes.flatMap((outcome) => failureOf(outcome) ?? []);
	if (host.toolHost !== undefined || operation.repeatable || failures.length === 0) return '';
	const isChecked = checkedBy !== undefined;
	const notAsked = failures.some(({ kind, hadNoTurn }) => kind === 'stopped' && hadNoTurn !== true);
	// Or nobody has asked what was sent: an earlier try's would be accepted, or unknown.
	const isNobody = wentOn && outcomes.every((outcome) => failureOf(outcome)?.outcome === 'notSent');
	const isUnread = memory.isBarred || notAsked || isNobody;
	// A list can be run again: who was called is not due.
	const isList = run.items.every(({ person }) => person?.rules.list !== undefined);
	if (host.isRetry && isUnread && !isList) return NEXT.retry;
	if ((outcomes.length === 1 || isChecked) && !outcomes.some(mayHaveBeenSent)) return '';
	const isUnknown = unknownItems(run).length > 0;
	if (isList && isUnknown) return NEXT.lookUpOnList;
	if (isList || !mustNotRunAgain(run)) return wentOn ? '' : NEXT.correct;
	if (isUnknown) return NEXT.lookUp;
	return wentOn ? NEXT.ownList : NEXT.retry;
}

/** Names up to ten: "+4915112345678 (crm-4711), row 3 may have been called."; empty if none. */
export function describeUnknown(run: EndedRun): string {
	const unknown = unknownItems(run);
	if (unknown.length === 0) return '';
	const { operation } = run;
	const isRedirected = unknown.every(({ redirectedTo }) => redirectedTo !== undefined);
	const labels = unknown.map(itemLabel);
	// Those that are gone from the list are named first.
	const most = Math.max(0, MOST_LISTED - missingOf(run).length);
	const countText = labels.length === 1 ? '1 other' : `${labels.length} others`;
	const namedItems = most === 0 ? countText : listFirst(labels, most);
	const may = `may have ${operation.reaches === undefined ? 'taken effect' : `been ${operation.reaches}`}`;
	return isRedirected ? `The test number ${may} for ${namedItems}.` : `${namedItems} ${may}.`;
}

/** Tells of items that an earlier try has sent, or may have sent; nothing if there are none. */
export const describeEarlierTries = (run: EndedRun): string =>
	joinTexts([describeAcceptedBefore(run), describeMissing(run), describeSentAgain(run)]);

function describeAcceptedBefore({ memory, outcomes }: EndedRun): string {
	const { acceptedBefore } = memory;
	if (acceptedBefore === 0 || outcomes.length === 1) return '';
	const were = acceptedBefore === 1 ? 'was' : 'were';
	return `${acceptedBefore} of these ${were} accepted in an earlier try, and not sent again.`;
}

/** Gives what an earlier try has sent and is gone; in a redirection, the mode has changed. */
const missingOf = ({ missing, operation, mode }: EndedRun): EndedRun['missing'] =>
	operation.repeatable || mode.kind === 'redirect' ? [] : missing;

function describeMissing(run: EndedRun): string {
	const missing = missingOf(run);
	if (missing.length === 0) return '';
	const names = missing.map(({ index, toNumber }) => {
		const row = `row ${index + 1} of that try`;
		return toNumber === undefined ? row : `${toNumber} (${row})`;
	});
	const [items, are] = missing.length === 1 ? ['item', 'is'] : ['items', 'are'];
	return `${missing.length} ${items} that an earlier try has sent, or may have sent, ${are} not among these any more: ${listFirst(names)}.`;
}

function describeSentAgain(run: EndedRun): string {
	const { sentAgain } = run.memory;
	if (sentAgain > 0) {
		const [noun, were] = sentAgain === 1 ? ['item', 'was'] : ['items', 'were'];
		return `${sentAgain} ${noun}, unknown after an earlier try, ${were} sent now. ${SENDS_AGAIN}`;
	}
	const isSet = run.items.some(
		(item) => isSendable(item) && item.options.ifOutcomeUnknown === 'sendAgain',
	);
	return isSet && (run.host.isRetry || unknownItems(run).length > 0) ? SENDS_AGAIN : '';
}

const unknownItems = ({ items, outcomes }: EndedRun): Item[] =>
	items.filter(({ index }) => failureOf(outcomes[index])?.outcome === 'unknown');

/** Names who an item was for: "+4915112345678 (crm-4711)" if that is known. */
const itemLabel = (item: Item): string =>
	item.person && phoneOf(item) !== '' ? nameOf(item.person) : `row ${item.index + 1}`;
