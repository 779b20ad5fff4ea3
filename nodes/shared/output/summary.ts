import type { IDataObject } from 'n8n-workflow';

import { messageOf, type Failure } from '../answer/failure';
import type { Operation } from '../declaration/operation';
import { failureOf, type Outcome } from '../delivery/outcome';
import { reasonOf, type ToldReason } from './heldBackItem';
import { groupBy, listRows } from '../values';

/** Words for what was not accepted, in the order of the summary. */
const WORDS = {
	checked: 'checked',
	heldBack: 'held back',
	refused: 'refused',
	notSent: 'not sent',
	unknown: 'unknown',
} as const;

const NOT_ACCEPTED: readonly string[] = Object.values(WORDS);

const REASONS: Readonly<Record<ToldReason, string>> = {
	doNotContact: 'do not contact',
	reached: 'reached',
	resultOpen: 'result open',
	attemptsUsed: 'attempts used up',
	callBack: 'to be called back later',
	contactedOften: 'contacted as often as the rules allow',
	contactedRecently: 'contacted recently',
	outsideHours: 'outside hours',
	unknownZone: 'time zone unknown',
	runFull: 'left for the next run',
};

/** How many lines tell reasons of failures; the last one counts the others, if there are more. */
const MOST_LINES = 6;

/** Says what became of an accepted item in a word, e.g. "placed". */
export const doneWord = ({ done }: Pick<Operation, 'done'>, body: IDataObject): string =>
	typeof done === 'string' ? done : done(body);

/** Counts outcomes: "Of 8 items: 5 placed, 2 held back (2 outside hours), 1 unknown". */
export function summarize(
	operation: Pick<Operation, 'done'>,
	outcomes: readonly Outcome[],
): string {
	const groups = groupBy(outcomes, (outcome) => wordFor(operation, outcome));
	const byReason = groupBy(
		outcomes.filter((outcome) => outcome.kind === 'heldBack'),
		(outcome) => REASONS[reasonOf(outcome)],
	);
	const acceptedWords = [...groups.keys()].filter((word) => !NOT_ACCEPTED.includes(word)).sort();
	const details = new Map([[WORDS.heldBack, list(Object.values(REASONS), byReason).join(', ')]]);
	const parts = list([...acceptedWords, ...NOT_ACCEPTED], groups, details);
	return `Of ${outcomes.length} ${outcomes.length === 1 ? 'item' : 'items'}: ${parts.join(', ')}`;
}

export interface FailedItem {
	/** Counted from 1. */
	readonly row: number;
	readonly failure: Failure;
}

/**
 * Says why items failed, commonest first, each with an example: '3 failed: To Number: "0151" has no
 * country code (row 2), and 2 more in this field (rows 5, 7).', or lines below a heading, or none.
 *
 * @param named the item of the error, which is not told again; nor is what it has stopped
 */
export function describeFailures(outcomes: readonly Outcome[], named?: FailedItem): string[] {
	const message = named && messageOf(named.failure);
	// What only has not begun is in the counts of the error.
	const isTold = ({ row, failure }: FailedItem): boolean =>
		row === named?.row ||
		failure.hadNoTurn === true ||
		(failure.outcome === 'notSent' && messageOf(failure) === message);
	const failed = [...outcomes.entries()].flatMap(([index, outcome]): FailedItem[] => {
		const failure = failureOf(outcome);
		const failedItem = failure && { row: index + 1, failure };
		return failedItem === undefined || (named && isTold(failedItem)) ? [] : [failedItem];
	});
	if (failed.length === 0) return [];
	// Bad values are known from the check; what became of a request is not.
	const ranked = failed.toSorted((first, second) => rankOf(first) - rankOf(second));
	const likeness = ({ failure }: FailedItem): string =>
		`${failure.outcome} ${fieldsOf(failure) || messageOf(failure)}`;
	const byLikeness = groupBy(ranked, likeness);
	const groups = [...byLikeness.values()].sort((first, second) => second.length - first.length);
	const most = groups.length > MOST_LINES ? MOST_LINES - 1 : MOST_LINES;
	const isAlone = outcomes.length === 1;
	const reasons = groups.slice(0, most).flatMap(([first, ...alike]) => {
		if (first === undefined) return [];
		const what = fieldsOf(first.failure) === '' ? 'like this' : 'in this field';
		const more = alike.length === 0 ? '' : `, and ${countRows(alike, what)}`;
		const { row, failure } = first;
		return [`${messageOf(isAlone ? failure : { row, ...failure })}${more}.`];
	});
	const rest = groups.slice(most).flat();
	if (rest.length > 0) reasons.push(`${countRows(rest, 'for other reasons')}.`);
	const heading = `${failed.length} ${named ? 'more failed' : 'failed'}`;
	return reasons.length === 1
		? [`${heading}: ${reasons.join()}`]
		: [`${heading}:`, ...reasons.map((reason) => `• ${reason}`)];
}

const rankOf = ({ failure }: FailedItem): number => (failure.outcome === 'notSent' ? 1 : 0);

/** Gives the names of the fields that are wrong; empty if none is, but the credential. */
const fieldsOf = ({ faults = [] }: Failure): string =>
	faults[0]?.field === undefined ? '' : [...new Set(faults.map(({ field }) => field))].join();

/** Counts: "2 more in this field (rows 5, 7)". */
const countRows = (failed: readonly FailedItem[], what: string): string =>
	`${failed.length} more ${what} (${listRows(failed.map(({ row }) => row))})`;

/** Counts groups by their words, details in brackets: "9 held back (2 outside hours)". */
const list = (
	words: readonly string[],
	groups: ReadonlyMap<string, readonly unknown[]>,
	details: ReadonlyMap<string, string> = new Map(),
): string[] =>
	words.flatMap((word) => {
		const group = groups.get(word);
		const detail = details.get(word);
		return group === undefined ? [] : [`${group.length} ${word}${detail ? ` (${detail})` : ''}`];
	});

const wordFor = (operation: Pick<Operation, 'done'>, outcome: Outcome): string =>
	outcome.kind === 'accepted'
		? doneWord(operation, outcome.body)
		: WORDS[outcome.kind === 'failed' ? outcome.failure.outcome : outcome.kind];
