import type { Answer, Rejected } from '../answer/answer';
import type { FailureKind } from '../answer/failure';
import { readRetryAfter } from '../answer/retryAfter';
import type { Operation } from '../declaration/operation';
import type { Verdict } from './lane';

/**
 * Which failures are tried again. An operation that reaches people or adds data is tried again only if
 * the service certainly did nothing: no connection was made. A timeout or a broken answer is never tried again.
 */
const RETRIED_KINDS: readonly FailureKind[] = ['unreachable', 'serviceError'];

export const MAX_TRIES = 4;

/** Back-off before the second try, in milliseconds; it doubles with each further one. */
const FIRST_BACKOFF = 500;

/** The longest back-off, in milliseconds. */
const MAX_BACKOFF = 30_000;

/** How long to wait before the next try, in milliseconds, or `undefined` if there is to be none. */
export function retryDelay(
	{ repeatable }: Operation,
	{ failure, effect }: Rejected,
	tries: number,
): number | undefined {
	const isSafe = repeatable || effect !== 'possible';
	const isRetried = isSafe && RETRIED_KINDS.includes(failure.kind) && tries < MAX_TRIES;
	return isRetried ? backoff(tries) : undefined;
}

/** True if the service did nothing and wants to be asked later. Such an answer costs no try. */
export const asksToWait = ({ effect }: Rejected): boolean => effect === 'noneYet';

/** What an answer says about the pace. */
export function verdictOf(answer: Answer): Verdict {
	if (answer.accepted) return { kind: 'taken' };
	const { kind, httpStatus } = answer.failure;
	if (asksToWait(answer) || httpStatus === 503) {
		return { kind: 'refused', holdFor: readRetryAfter(answer.retryAfter) };
	}
	const isAnswered = kind !== 'unreachable' && httpStatus !== null && httpStatus < 500;
	return { kind: isAnswered ? 'taken' : 'unknown' };
}

/** Exponential, with jitter between half and the whole, in milliseconds. */
export function backoff(tries: number): number {
	const whole = Math.min(FIRST_BACKOFF * 2 ** (tries - 1), MAX_BACKOFF);
	return whole / 2 + Math.random() * (whole / 2);
}
