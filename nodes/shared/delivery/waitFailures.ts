import { ADVICE } from '../answer/agentAdvice';
import { createFailure, type Failure } from '../answer/failure';
import { LONGEST_WAIT } from '../declaration/options';
import { problemOf } from '../request/reading';
import { steadyNow } from '../time/clock';

const SECOND = 1_000;

/** The failure of an item that was never sent, because the run was stopped. */
export const stopped = (): Failure => createFailure({ kind: 'stopped', outcome: 'notSent' });

/** The failure of an item that was never sent, because n8n's store of contacts cannot be read or written. */
export const notLookedUp = (): Failure =>
	createFailure({
		kind: 'stopped',
		outcome: 'notSent',
		message: 'Not sent, because n8n could not look up whom this node has contacted',
		hint: "Check n8n's database, then retry this execution.",
		advice: ADVICE.stopped,
	});

/** The failure of an item that was never sent, because the node itself failed. */
export const notBegun = (error: unknown): Failure =>
	createFailure({
		kind: 'stopped',
		outcome: 'notSent',
		message: `Not sent, because the node failed: ${problemOf(error)}`,
		hint: 'Report this with the version of the node.',
	});

/**
 * The failure of an item that was never sent, because the rate limit of the service is reached.
 *
 * @param askAgainAt when the service wants to be asked again, in milliseconds since the epoch, if it said so
 */
export const notTaken = (askAgainAt: number | undefined): Failure =>
	createFailure({
		kind: 'rateLimited',
		outcome: 'notSent',
		message: 'Not sent, because the rate limit of the service is reached',
		...adviceFor(askAgainAt),
	});

/** The failure of an item that the service asked to come later than it may wait. */
export const waitedTooLong = (failure: Failure, askAgainAt: number | undefined): Failure => ({
	...failure,
	...adviceFor(askAgainAt),
});

function adviceFor(askAgainAt: number | undefined): Pick<Failure, 'hint' | 'advice'> {
	const wait = askAgainAt === undefined ? 0 : askAgainAt - steadyNow();
	if (wait <= 0) {
		return {
			hint: 'The service did not accept it within "Max Wait". Try again later, raise "Max Wait", or lower "Requests per Second" in the options.',
			advice: ADVICE.rateLimited,
		};
	}
	const time = new Date(Date.now() + wait).toISOString();
	const seconds = Math.ceil(wait / SECOND);
	const wish = `The service wants to be asked again at ${time}, in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
	const canWait = wait <= LONGEST_WAIT * SECOND;
	return {
		hint: `${wish} Try again then${canWait ? ', or raise "Max Wait" in the options' : ''}.`,
		advice: `${wish} Do not repeat this tool call before then.`,
	};
}
