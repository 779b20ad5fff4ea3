import type { Operation } from '../declaration/operation';
import { failureOf } from '../delivery/result';
import { nameOf } from '../outreach/person';
import { asSent, plansOf } from '../request/planned';
import { joinTexts, listFirst } from '../values';
import type { EndedRun } from './endedRun';

/** How many people are named one by one, in a hint. */
const MOST_IN_HINT = 10;

/** And in the steps of an error, by which they are looked up: after a crash in a short list, all of them. */
const MOST_IN_STEPS = 50;

/**
 * Who may have been reached, for a headline: "+4915112345678 (crm-4711) and 2 more may have been called", or, with a
 * redirection, "The test number may have been called for …"; nothing if nobody. It names those of this try, if there are any.
 */
export function headlineUnknown(run: EndedRun): string {
	const { ofThisTry, ofEarlierTries } = unknownItems(run);
	if (ofThisTry.length === 0) return mayHaveBeenReached(run, ofEarlierTries, 1);
	const before = ofEarlierTries.length;
	const earlier = before > 0 ? `, and ${before} in an earlier try` : '';
	return mayHaveBeenReached(run, ofThisTry, 1) + earlier;
}

/** Who may have been reached, for a hint, and for whom that is settled; nothing if nobody. */
export function describeUnknown(run: EndedRun): string {
	const names = mayHaveBeenReached(run, allUnknown(run), MOST_IN_HINT);
	return joinTexts([names && `${names}: look this up at the service first.`, describeSettled(run)]);
}

function mayHaveBeenReached(run: EndedRun, indexes: readonly number[], most: number): string {
	const [first] = indexes;
	if (first === undefined) return '';
	const { reaches } = run.operation;
	const may = `may have ${reaches === undefined ? 'taken effect' : `been ${reaches}`}`;
	const names = namesOf(run, indexes, most);
	if (isRedirected(run, first)) return `The test number ${may} for ${names}`;
	return `${names.charAt(0).toUpperCase()}${names.slice(1)} ${may}`;
}

/** The unknown items of which the contact book says that nobody was reached; nothing if there are none. */
export function describeSettled(run: EndedRun): string {
	const { settled } = unknownItems(run);
	if (settled.length === 0) return '';
	const names = namesOf(run, settled, MOST_IN_HINT);
	return `In the contact book, the outcome of ${names} is "notMade".`;
}

/** True if there are items of which nobody can say it, and the contact book does not. */
export const hasOpenItems = (run: EndedRun): boolean => allUnknown(run).length > 0;

/** The executions whose rows in the contact book are of items of which nobody can say it. */
export function executionsOfUnknown(run: EndedRun): string[] {
	const ofThis = unknownItems(run).ofThisTry.length > 0 ? [run.host.executionId] : [];
	return [...new Set([...run.openIn, ...ofThis])];
}

/**
 * What is said of items that an earlier try has sent, or may have sent; nothing if there are none.
 *
 * @param wentOn true if the run went on after its failures; else the steps say what to do about the option
 */
export const describeEarlierTries = (run: EndedRun, wentOn: boolean): string =>
	joinTexts([describeAcceptedBefore(run), describeMissing(run), describeSentAgain(run, wentOn)]);

function describeAcceptedBefore({ acceptedBefore, results }: EndedRun): string {
	if (acceptedBefore === 0 || results.length === 1) return '';
	const were = acceptedBefore === 1 ? 'was' : 'were';
	return `${acceptedBefore} of these ${were} accepted in an earlier try, and not sent again.`;
}

function describeMissing({ missing }: EndedRun): string {
	if (missing.length === 0) return '';
	const one = missing.length === 1;
	const names = missing.map(({ index, toNumber }) => {
		const row = `row ${index + 1} of that try`;
		return toNumber === undefined ? row : `${toNumber} (${row})`;
	});
	const [items, their] = one
		? ['1 item that an earlier try has sent, or may have sent, is', 'its']
		: [`${missing.length} items that an earlier try has sent, or may have sent, are`, 'their'];
	return `${items} not among these any more, because ${their} number or other values were changed: ${listFirst(names, MOST_IN_STEPS)}. Look up at the service what became of ${one ? 'it' : 'them'}; the execution that was retried shows what was sent.`;
}

function describeSentAgain(run: EndedRun, wentOn: boolean): string {
	const { host, sentAgain } = run;
	const isUnknown = run.results.some((result) => failureOf(result)?.outcome === 'unknown');
	const option = '"If Unsure Whether It Was Sent" is "Send Again"';
	const end =
		isUnknown && !wentOn
			? 'Any retry sends again what is unknown.'
			: 'Set it back now: a later retry would send again without asking.';
	if (sentAgain > 0) {
		const items = sentAgain === 1 ? '1 item' : `${sentAgain} items`;
		const were = sentAgain === 1 ? 'was' : 'were';
		return `${items} that ${were} unknown after an earlier try ${were} tried again, because ${option}. ${end}`;
	}
	return (host.isRetry || isUnknown) && isSendAgainSet(run) ? `${option}. ${end}` : '';
}

/** True if an item is sent again of which nobody can say whether it was sent. */
export const isSendAgainSet = ({ planned }: EndedRun): boolean =>
	plansOf(planned).some((plan) => plan?.options.ifOutcomeUnknown === 'sendAgain');

/** What is to be looked up at the service: "Look up at the service who was called". */
export function describeLookup(run: EndedRun): string {
	const { reaches } = run.operation;
	const done = reaches === undefined ? 'what took effect' : `who was ${reaches}`;
	const whom = allUnknown(run).some((index) => isRedirected(run, index))
		? `for whom the test number was ${reaches ?? 'used'}`
		: done;
	return `Look up at the service ${whom}`;
}

/**
 * Whom nobody can say it of, by name.
 *
 * @param ofMore what is said of those that are too many to be named
 */
export const namesOfUnknown = (run: EndedRun, ofMore = ''): string =>
	namesOf(run, allUnknown(run), MOST_IN_STEPS, ofMore);

/** What is said of those who are held back although nobody can say whether they were reached; nothing if nobody. */
export function describeUnsettled(run: EndedRun): string {
	const indexes = [...run.results.entries()].flatMap(([index, result]) =>
		'heldBack' in result && result.heldBack.isUnsettled === true ? [index] : [],
	);
	if (indexes.length === 0) return '';
	const are = indexes.length === 1 ? 'is' : 'are';
	return `${namesOf(run, indexes, MOST_IN_HINT)} ${are} held back, but may not have been reached: if another run is going on, wait for its end. Then look up at the service who was. ${inBook('reached')} Send alone whoever was not.`;
}

/** The first of some items, and how many more there are. */
function namesOf(run: EndedRun, indexes: readonly number[], most: number, ofMore = ''): string {
	const names = indexes.map((index) => nameOfItem(run, index));
	return listFirst(names, most, ofMore);
}

/** How an item of which nobody can say whether it was sent can be settled. */
interface Settling {
	/** True if the contact book has its row. */
	readonly usesBook: boolean;
	/** See {@link EndedRun.findsRows}. */
	readonly findsRows: boolean;
	/** True if the run went on after it: n8n does not retry an execution that succeeded. */
	readonly wentOn: boolean;
	/** See {@link Failure.isSettled}. */
	readonly isSettled?: boolean;
}

/** What is added to the hint of an item of which nobody can say whether it was sent. */
export function unknownHint(
	{ repeatable, reaches = 'reached' }: Pick<Operation, 'repeatable' | 'reaches'>,
	{ usesBook, findsRows, wentOn, isSettled }: Settling,
): string {
	const may = 'It may have taken effect all the same';
	if (repeatable) return `${may}. It does no harm to send it once more.`;
	if (isSettled === true)
		return `Its row in the contact book says "notMade". ${wentOn ? 'Send it again in a list of its own.' : `To send it, ${RETRY}.`}`;
	const row = (wentOn ? usesBook : findsRows) ? itsRow(reaches) : '';
	return `${may}: look it up at the service. ${wentOn ? settleAlone(row) : settleByRetry(row)}`;
}

/**
 * How the rows of those of whom nobody can say it are found in the contact book.
 *
 * @param executions whose rows they are; empty if that is not known
 */
export function findInBook(rows: string, executions: readonly string[] = []): string {
	const filter = joinTexts(['"execution"', executions.join(', ')]);
	return `In the contact book (Overview, Data tables; filter by ${filter} or "phone"), look for ${rows} that say "unknown", or "claimed" after a crash`;
}

/** What is to be entered of a call, whose end names no number. */
const callId = (reached: string): string =>
	['called', 'reached'].includes(reached)
		? ' (and contactId to the ID of the call: without it, the end of the call finds no contact)'
		: '';

/**
 * How they are settled there.
 *
 * @param reached what became of them, e.g. "called"
 */
export const settleRows = (reached: string): string =>
	`Change the outcome to "accepted" if they were ${reached}${callId(reached)}, to "notMade" if they were not. Any other text counts as "accepted".`;

/** Both. */
export const inBook = (reached: string): string =>
	`${findInBook('their rows')}. ${settleRows(reached)}`;

const itsRow = (reached: string): string =>
	`Set the outcome of its row in the contact book (Overview, Data tables): to "accepted" if it did${callId(reached)}, to "notMade" if it did not.`;

const RETRY = 'retry this execution with "If Unsure Whether It Was Sent" set to "Send Again"';

/** @param row what is to be done with its row in the contact book; empty if there is none */
const settleAlone = (row: string): string =>
	row !== ''
		? `${row} If it did not, send it again after that, in a list of its own.`
		: 'If it did not, send it in a list of its own.';

/** @param row see {@link settleAlone} */
function settleByRetry(row: string): string {
	return row !== ''
		? `${row} Then ${RETRY}, which sends all unknown items but those with "accepted".`
		: `If it did not, ${RETRY}, which sends all unknown items again. If only some took effect, send alone what did not.`;
}

/** The indexes of the items of which nobody can say whether they were sent, and of those of which the contact book says it. */
function unknownItems({ results }: EndedRun) {
	const all: Record<'ofThisTry' | 'ofEarlierTries' | 'settled', number[]> = {
		ofThisTry: [],
		ofEarlierTries: [],
		settled: [],
	};
	for (const [index, result] of results.entries()) {
		const failure = failureOf(result);
		if (failure?.outcome !== 'unknown') continue;
		if (failure.isSettled === true) all.settled.push(index);
		else if (failure.ofEarlierTry !== undefined) all.ofEarlierTries.push(index);
		else all.ofThisTry.push(index);
	}
	return all;
}

function allUnknown(run: EndedRun): number[] {
	const { ofThisTry, ofEarlierTries } = unknownItems(run);
	return [...ofThisTry, ...ofEarlierTries];
}

const contactOf = ({ planned }: EndedRun, index: number) => {
	const item = planned[index];
	return item && asSent(item).contact;
};

const isRedirected = (run: EndedRun, index: number): boolean =>
	run.mode.kind === 'redirect' && contactOf(run, index) !== undefined;

/** Whom an item was for: "+4915112345678 (crm-4711)" if that is known. */
function nameOfItem(run: EndedRun, index: number): string {
	const contact = contactOf(run, index);
	if (contact?.toNumber) return nameOf(contact);
	const { reaches } = run.operation;
	const what = reaches === undefined ? 'the request' : contact ? 'the person' : 'the people';
	return `${what} of row ${index + 1}`;
}
