import { describeFailure } from '../answer/nodeError';
import { mayHaveBeenSent } from '../delivery/outcome';
import { isSendable, type Item } from '../items/item';
import { comparable } from '../rules/lists';
import { CREDENTIAL } from '../service/transport';
import { joinTexts, visible } from '../values';
import type { EndedRun } from './endedRun';
import { describeEarlierTries, describeUnknown, mustNotRunAgain, nextStep } from './nextSteps';
import { describeFailures, summarize, type FailedItem } from './summary';

/** Makes HTML of lines, as n8n shows the description of an error and a hint. */
const toHtml = (lines: readonly string[]): string =>
	joinTexts(lines, '\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>');

/** Writes the rest of the error of a run that stops: what became of all items, and what to do. */
export function describeStop(run: EndedRun, named: FailedItem): string {
	const { mode, outcomes } = run;
	const isList = outcomes.length > 1;
	const lines = [
		isList ? describeAll(run) : '',
		mode.kind === 'redirect' && mustNotRunAgain(run) ? describeMode(run) : '',
		describeEarlierTries(run),
		isList ? describeUnknown(run) : '',
		...(isList && run.host.toolHost === undefined ? describeFailures(outcomes, named) : []),
		nextStep(run, false),
	];
	return toHtml(describeFailure(named.failure, lines));
}

/**
 * Says in the output panel what became of the items, with a line for each matter; nothing of a
 * single item that was accepted in live mode, unless there is a notice.
 */
export function addHints(run: EndedRun): void {
	const { host, mode, outcomes } = run;
	const notices = joinTexts([describeEarlierTries(run), run.blanks, describeRepeats(run)], '\n');
	const isPlain = outcomes.length === 1 && outcomes[0]?.kind === 'accepted' && mode.kind === 'live';
	if (outcomes.length === 0 || (isPlain && notices === '')) return;
	const failures = describeFailures(outcomes);
	// n8n shows about ten lines, and scrolls the others: what to do comes before the reasons.
	const lines = [
		describeAll(run),
		describeUnknown(run),
		nextStep(run, true),
		describeMode(run),
		notices,
		...failures,
	];
	host.addHint({
		message: toHtml(lines),
		type: failures.length > 0 || notices !== '' ? 'warning' : 'info',
		location: 'outputPane',
	});
}

/** Says what became of the items, in numbers, and whether what is to reach people reached none. */
function describeAll(run: EndedRun): string {
	const { checkedBy, operation, outcomes } = run;
	// What makes it check only is told, too.
	const isToReach = operation.reaches !== undefined && checkedBy === undefined;
	const nobody = isToReach && !mustNotRunAgain(run) ? 'This run of the node contacted nobody.' : '';
	return joinTexts([`${summarize(operation, outcomes)}.`, nobody, describeList(run)]);
}

/** Why nobody on a list has to be contacted any more. */
const DONE: readonly string[] = ['doNotContact', 'reached', 'attemptsUsed'];

/** Says that nobody is left on a list; nothing if somebody is, or items are of several lists. */
function describeList({ items, outcomes }: EndedRun): string {
	const { list } = items[0]?.person?.rules ?? {};
	const name = comparable(list);
	const isOfList = ({ person }: Item): boolean => comparable(person?.rules.list) === name;
	const isDone = ({ index }: Item): boolean => {
		const outcome = outcomes[index];
		return outcome?.kind === 'heldBack' && DONE.includes(outcome.reason);
	};
	const isOver =
		items.some(isDone) &&
		items.every((item) => isOfList(item) && (isDone(item) || !isSendable(item)));
	return list !== undefined && isOver
		? `Nobody is left on the list "${visible(list)}" among these items.`
		: '';
}

/** What makes a run check only, in words. */
export const CHECKED_BY = {
	mode: 'the credential only checks',
	option: 'the option "Check Only" is on',
} as const;

function describeMode({ host, mode, checkedBy, operation, outcomes }: EndedRun): string {
	const isChecked = outcomes.some(({ kind }) => kind === 'checked' || kind === 'heldBack');
	if (checkedBy === 'option') return isChecked ? `Nothing was sent: ${CHECKED_BY.option}.` : '';
	const name = host.node.credentials?.[CREDENTIAL]?.name;
	const credential = name === undefined ? 'the credential' : `the credential "${visible(name)}"`;
	if (mode.kind === 'redirect' && operation.rules)
		return `Calls and messages go to ${mode.testNumber} instead: ${credential} redirects.`;
	if (checkedBy !== 'mode' || !isChecked) return '';
	return `Nothing was sent: ${credential} only checks. To go live, choose a credential in the mode "Live".`;
}

/** Says which rows reached, or would reach, an earlier row's number unless a rule holds it back. */
function describeRepeats({ items, outcomes }: EndedRun): string {
	const first = new Map<string, number>();
	const repeats: string[] = [];
	for (const [index, outcome] of outcomes.entries()) {
		const { toNumber = '', rules } = items[index]?.person ?? {};
		const phone = rules?.list === undefined && rules?.notAgainWithin === 0 ? toNumber : '';
		if (phone === '' || !(outcome.kind === 'checked' || mayHaveBeenSent(outcome))) continue;
		const earlier = first.get(phone);
		if (earlier === undefined) first.set(phone, index);
		else repeats.push(`${phone} (rows ${earlier + 1} and ${index + 1})`);
	}
	if (repeats.length === 0) return '';
	const [rows, have] = repeats.length === 1 ? ['row', 'has'] : ['rows', 'have'];
	return `${repeats.length} ${rows} ${have} the number of an earlier row, e.g. ${repeats[0] ?? ''}. Add "Not Again Within" to hold back the later one.`;
}
