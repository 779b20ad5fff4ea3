import { messageOf, type Failure } from '../answer/failure';
import type { Operation } from '../declaration/operation';
import { failureOf, type Outcome } from '../delivery/outcome';
import { isOfUnknownZone, type HeldBack, type HoldReason } from '../rules/heldBack';
import { groupBy, listRows } from '../values';

/** What was not accepted, in the order of the summary. */
const OTHERS = ['checked', 'held back', 'refused', 'not sent', 'unknown'];

const OUTCOMES = { refused: 'refused', notSent: 'not sent', unknown: 'unknown' } as const;

const REASONS: Readonly<Record<HoldReason, string>> = {
	doNotContact: 'do not contact',
	contactedOften: 'contacted as often as the rules allow',
	contactedRecently: 'contacted recently',
	outsideHours: 'outside hours',
};

const UNKNOWN_ZONE = 'time zone unknown';

/** How many lines tell reasons of failures; the last one counts the others, if there are more. */
const MOST_LINES = 6;

const reasonFor = (heldBack: HeldBack): string =>
	isOfUnknownZone(heldBack) ? UNKNOWN_ZONE : REASONS[heldBack.reason];

/** Says what became of an accepted item in a word, e.g. "placed". */
export const doneWord = ({ done }: Pick<Operation, 'done'>, body: DoneBody): string =>
	typeof done === 'string' ? done : done(body);

type DoneBody = Extract<Outcome, { kind: 'accepted' }>['body'];

/** Counts outcomes: "Of 8 items: 5 placed, 2 held back (2 outside hours), 1 unknown". */
export function summarize(
	operation: Pick<Operation, 'done'>,
	outcomes: readonly Outcome[],
): string {
	const counts = countBy(outcomes, (outcome) => wordFor(operation, outcome));
	const reasons = countBy(outcomes, (outcome) =>
		outcome.kind === 'heldBack' ? reasonFor(outcome) : undefined,
	);
	const accepted = [...counts.keys()].filter((word) => !OTHERS.includes(word)).sort();
	const heldBack = list([...Object.values(REASONS), UNKNOWN_ZONE], reasons).join(', ');
	const parts = list([...accepted, ...OTHERS], counts, new Map([['held back', heldBack]]));
	return `Of ${outcomes.length} ${outcomes.length === 1 ? 'item' : 'items'}: ${parts.join(', ')}`;
}

interface FailedItem {
	readonly row: number;
	readonly failure: Failure;
}

/**
 * Says why items failed, commonest first, each with an example: '3 failed: To Number: "0151" has no
 * country code (row 2), and 2 more in this field (rows 5, 7).', or lines below a heading, or none.
 *
 * @param named the failure of the error, which is not told again; nor is what it has stopped
 */
export function describeFailures(outcomes: readonly Outcome[], named?: Failure): string[] {
	const isTold = toldBy(named);
	const failed = [...outcomes.entries()].flatMap(([index, outcome]): FailedItem[] => {
		const failure = failureOf(outcome);
		return failure === undefined || isTold(failure) ? [] : [{ row: index + 1, failure }];
	});
	if (failed.length === 0) return [];
	// Bad values are known from the check; what became of a request is not.
	const ranked = failed.toSorted((first, second) => rankOf(first) - rankOf(second));
	const reasonOf = ({ failure }: FailedItem): string =>
		`${failure.outcome} ${fieldsOf(failure) || messageOf(failure)}`;
	const byReason = groupBy(ranked, reasonOf);
	const groups = [...byReason.values()].sort((one, other) => other.length - one.length);
	const most = groups.length > MOST_LINES ? MOST_LINES - 1 : MOST_LINES;
	const isAlone = outcomes.length === 1;
	const reasons = groups.slice(0, most).flatMap(([first, ...others]) => {
		if (first === undefined) return [];
		const what = fieldsOf(first.failure) === '' ? 'like this' : 'in this field';
		const more = others.length === 0 ? '' : `, and ${countRows(others, what)}`;
		return [`${describeRow(first, isAlone)}${more}.`];
	});
	const rest = groups.slice(most).flat();
	if (rest.length > 0) reasons.push(`${countRows(rest, 'for other reasons')}.`);
	const heading = `${failed.length} ${named ? 'more failed' : 'failed'}`;
	return reasons.length === 1
		? [`${heading}: ${reasons.join()}`]
		: [`${heading}:`, ...reasons.map((reason) => `• ${reason}`)];
}

/** Says which failures an error has told: what only has not begun is in its counts. */
function toldBy(named?: Failure): (failure: Failure) => boolean {
	if (named === undefined) return () => false;
	const message = messageOf(named);
	return (failure) =>
		failure === named ||
		failure.hadNoTurn === true ||
		(failure.outcome === 'notSent' && messageOf(failure) === message);
}

const rankOf = ({ failure }: FailedItem): number => (failure.outcome === 'notSent' ? 1 : 0);

/** Gives the message, with the row. */
const describeRow = ({ row, failure }: FailedItem, isAlone: boolean): string =>
	isAlone ? messageOf(failure) : messageOf({ row, ...failure });

/** Gives the names of the fields that are wrong; empty if none is, but the credential. */
const fieldsOf = ({ faults = [] }: Failure): string =>
	faults[0]?.field === undefined ? '' : [...new Set(faults.map(({ field }) => field))].join();

/** Counts: "2 more in this field (rows 5, 7)". */
function countRows(failed: readonly FailedItem[], what: string): string {
	const rows = failed.map(({ row }) => row);
	return `${failed.length} more ${what} (${rows.length === 1 ? 'row' : 'rows'} ${listRows(rows)})`;
}

function countBy<T>(all: readonly T[], wordOf: (one: T) => string | undefined) {
	const counts = new Map<string, number>();
	for (const one of all) {
		const word = wordOf(one);
		if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
	}
	return counts;
}

/** Lists counts of words, details in brackets: "2 refused", "9 held back (2 outside hours)". */
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

function wordFor(operation: Pick<Operation, 'done'>, outcome: Outcome): string {
	switch (outcome.kind) {
		case 'checked':
			return 'checked';
		case 'heldBack':
			return 'held back';
		case 'failed':
			return OUTCOMES[outcome.failure.outcome];
		case 'accepted':
			return doneWord(operation, outcome.body);
	}
}
