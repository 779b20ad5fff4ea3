import { ADVICE } from '../answer/agentAdvice';
import { createFailure, invalidInput, type Failure } from '../answer/failure';
import type { BookProblem } from '../book/bookProblem';
import { steadyNow } from '../time/clock';

const notSent = (message: string, hint: string): Failure =>
	createFailure({ kind: 'stopped', outcome: 'notSent', message, hint, advice: ADVICE.stopped });

/** The failure of an item before whose turn the run was stopped. */
export const STOPPED: Failure = createFailure({
	kind: 'stopped',
	outcome: 'notSent',
	hadNoTurn: true,
});

/** Makes the failure of all items of a retry while n8n's store of marks cannot be read. */
export const notLookedUp = (): Failure =>
	notSent(
		'Not sent, because n8n could not look up what was sent before this retry',
		"Check n8n's database, then retry this execution.",
	);

/** Makes the failure of all items of a retry beside another one. */
export const retryUnderWay = (): Failure =>
	notSent(
		'Not sent, because another retry of this execution is under way',
		'Wait until it has ended, then retry this execution. If n8n or its database has just failed, wait ten minutes.',
	);

/** Makes the failure of an item whose delivery threw: nobody can say how far it came. */
export const brokenOff = (): Failure =>
	createFailure({
		kind: 'badResponse',
		outcome: 'unknown',
		message: 'The node failed while this item was sent',
		hint: 'Report this bug with the version of the node.',
	});

/** Makes the failure of an item that was under way when its execution ended. */
export const lostAnswer = (): Failure => unknown('An earlier try sent it, and no answer came');

/** Makes the failure of an item that was about to be sent when n8n died. No more is known of it. */
export const lostWithN8n = (): Failure =>
	unknown('n8n stopped before this item was done, or another try has sent it');

const unknown = (message: string): Failure =>
	createFailure({ kind: 'unreachable', outcome: 'unknown', message, hint: '' });

/**
 * Makes the failure of an item that an earlier try may have sent, and this one has not: what went
 * wrong now, unless it was not the item's turn any more.
 *
 * @param doubt what is known of the earlier try
 */
export const stillUnknown = (doubt: Failure, now: Failure): Failure =>
	now.hadNoTurn === true ? doubt : { ...now, outcome: 'unknown', ofEarlierTry: 'outcome' };

/**
 * Makes the failure of an item that was never sent: the rate limit of the service is reached.
 *
 * @param askAgainAt when to ask the service again, in milliseconds since the epoch, if it said so
 */
export const limitReached = (askAgainAt: number | undefined): Failure =>
	createFailure({
		kind: 'rateLimited',
		outcome: 'notSent',
		message: 'Not sent, because the rate limit of the service is reached',
		...whenToAskAgain(askAgainAt),
	});

/** Makes the failure of an item that the service asked to come later than it may wait. */
export const waitedTooLong = (failure: Failure, askAgainAt: number | undefined): Failure => ({
	...failure,
	...whenToAskAgain(askAgainAt),
});

function whenToAskAgain(askAgainAt: number | undefined): Pick<Failure, 'hint' | 'advice'> {
	const wait = askAgainAt === undefined ? 0 : askAgainAt - steadyNow();
	if (wait <= 0) {
		return {
			hint: 'The service did not accept it within "Max Wait". Try again later, or raise "Max Wait" in the options.',
			advice: ADVICE.rateLimited,
		};
	}
	const time = new Date(Date.now() + wait).toISOString();
	const wish = `The service wants to be asked again at ${time}, in ${Math.ceil(wait / 1_000)} s.`;
	return {
		hint: `${wish} Try again then.`,
		advice: `${wish} Do not repeat this tool call before then.`,
	};
}

/** Makes the failure of an item that is not sent because the book cannot be read or written. */
export const bookFailure = ({ message, hint }: BookProblem): Failure =>
	notSent(`Not sent. ${message}`, hint);

/** Makes the failure of all items while a row with `doNotContact` cannot be read. */
export const unreadableRow = (problem: string): Failure =>
	invalidInput({
		message: `Not sent, because an opt-out in the contact book cannot be read: ${problem}`,
		hint: 'Correct the phone number in this row of the Data Table. If it names nobody who has opted out, set its "doNotContact" to false.',
	});

/** Makes the failure of a list whose marks n8n would not keep to its end. */
export const tooManyItems = (items: number, most: number): Failure =>
	invalidInput({
		message: `Nothing was sent: this run has ${items} items, and n8n can remember only ${most} through a crash`,
		hint: 'Split the list over several executions.',
	});
