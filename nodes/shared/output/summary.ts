import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../answer/failure';
import type { Operation } from '../declaration/operation';
import { isOfUnknownZone, type HeldBack, type HoldReason } from '../outreach/heldBack';
import { failureOf, type RunResult } from '../delivery/result';
import { listRows } from '../values';

/** What was not accepted, in the order of the summary. */
const OTHERS = ['checked', 'held back', 'refused', 'not sent', 'unknown'];

const OUTCOMES = { refused: 'refused', notSent: 'not sent', unknown: 'unknown' } as const;

const REASONS: Readonly<Record<HoldReason, string>> = {
	doNotContact: 'do not contact',
	contactedOften: 'contacted as often as the rules allow',
	contactedRecently: 'contacted recently',
	outsideHours: 'outside hours',
};

/** In how many lines reasons of failures stand; the last one counts the others, if there are more. */
const MOST_LINES = 6;

const UNKNOWN_ZONE = 'time zone unknown';

/** Unknown items of which the contact book says that nobody was reached. */
const SETTLED = 'settled as "notMade"';

const reasonFor = (heldBack: HeldBack): string =>
	isOfUnknownZone(heldBack) ? UNKNOWN_ZONE : REASONS[heldBack.reason];

/** What became of an accepted item in a word, e.g. "placed". */
export const doneWord = ({ done }: Pick<Operation, 'done'>, body: IDataObject): string =>
	typeof done === 'string' ? done : done(body);

/**
 * Counts what became of the items: "Of 500 items: 471 placed, 12 queued, 9 held back (7 do not contact, 2 outside hours),
 * 6 refused, 2 unknown (1 settled as "notMade")".
 */
export function summarize(
	operation: Pick<Operation, 'done'>,
	results: readonly RunResult[],
): string {
	const counts = countBy(results, (result) => wordFor(operation, result));
	const reasons = countBy(results, (result) =>
		'heldBack' in result ? reasonFor(result.heldBack) : undefined,
	);
	const settled = countBy(results, (result) =>
		failureOf(result)?.isSettled === true ? SETTLED : undefined,
	);
	const details = new Map([
		['held back', list([...Object.values(REASONS), UNKNOWN_ZONE], reasons).join(', ')],
		['unknown', list([SETTLED], settled).join()],
	]);
	const accepted = [...counts.keys()].filter((word) => !OTHERS.includes(word)).sort();
	const parts = list([...accepted, ...OTHERS], counts, details);
	return `Of ${results.length} ${results.length === 1 ? 'item' : 'items'}: ${parts.join(', ')}`;
}

/** A row that failed, counted from 1 (`undefined` if it is the only one), and why. */
export interface FailedRow {
	readonly row: number | undefined;
	readonly failure: Failure;
}

/** Why items failed, in lines ({@link describeReasons}); none if none did. */
export function describeFailures(results: readonly RunResult[]): string[] {
	const failed = [...results.entries()].flatMap(([index, result]) => {
		const failure = failureOf(result);
		return failure ? [{ row: results.length > 1 ? index + 1 : undefined, failure }] : [];
	});
	return failed.length === 0 ? [] : describeReasons(`${failed.length} failed`, failed);
}

/**
 * The commonest reasons of failures, each with an example: in one line, '3 failed: To Number: "0151" has no country code
 * (row 2), and 2 more like this (rows 5, 7).', or in a line for each after that of the heading.
 */
export function describeReasons(heading: string, failed: readonly FailedRow[]): string[] {
	const groups = new Map<string, FailedRow[]>();
	// Bad values are known from the check; what became of a request is not.
	for (const one of failed.toSorted((one, other) => rankOf(one) - rankOf(other))) {
		const reason = reasonOf(one.failure);
		const group = groups.get(reason);
		if (group) group.push(one);
		else groups.set(reason, [one]);
	}
	const commonestFirst = [...groups.values()].sort((one, other) => other.length - one.length);
	const most = commonestFirst.length > MOST_LINES ? MOST_LINES - 1 : MOST_LINES;
	const named = commonestFirst.slice(0, most).flatMap(([example, ...others]) => {
		const more = others.length === 0 ? '' : `, and ${countRows(others, 'like this')}`;
		return example ? [`${describeRow(example)}${more}.`] : [];
	});
	const rest = commonestFirst.slice(most).flat();
	const reasons =
		rest.length === 0 ? named : [...named, `${countRows(rest, 'for other reasons')}.`];
	return reasons.length === 1
		? [`${heading}: ${reasons.join()}`]
		: [`${heading}:`, ...reasons.map((reason) => `• ${reason}`)];
}

const rankOf = ({ failure }: FailedRow): number => (failure.outcome === 'notSent' ? 1 : 0);

/** The message, with the row if it does not name it itself. */
function describeRow({ row, failure: { message } }: FailedRow): string {
	const isNamed = row === undefined || /\(row \d+\)/.test(message);
	return `${message.replace(/\.$/, '')}${isNamed ? '' : ` (row ${row})`}`;
}

/** "2 more like this (rows 5, 7)". */
function countRows(failed: readonly FailedRow[], what: string): string {
	const rows = failed.flatMap(({ row }) => row ?? []);
	return `${failed.length} more ${what} (${rows.length === 1 ? 'row' : 'rows'} ${listRows(rows)})`;
}

/** The message of a failure without the value and the row of its item. A character that is wrong in a value is a reason. */
const reasonOf = ({ message }: Failure): string =>
	message.replaceAll(/"[^"]*"|, not .*?(?=; \w| \(row \d+\)|$)|\(row \d+\)/g, (part) =>
		/^"."$/u.test(part) ? part : '',
	);

function countBy<T>(all: readonly T[], wordOf: (one: T) => string | undefined) {
	const counts = new Map<string, number>();
	for (const one of all) {
		const word = wordOf(one);
		if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
	}
	return counts;
}

/** Counts of words, with what is said of some of them in brackets: "2 refused", "9 held back (2 outside hours)". */
const list = (
	words: readonly string[],
	counts: ReadonlyMap<string, number>,
	details?: ReadonlyMap<string, string>,
): string[] =>
	words.flatMap((word) => {
		const count = counts.get(word);
		const detail = details?.get(word);
		return count === undefined ? [] : [`${count} ${word}${detail ? ` (${detail})` : ''}`];
	});

function wordFor(operation: Pick<Operation, 'done'>, result: RunResult): string {
	if ('checked' in result) return 'checked';
	if ('heldBack' in result) return 'held back';
	if (!result.accepted) return OUTCOMES[result.failure.outcome];
	return doneWord(operation, result.body);
}
