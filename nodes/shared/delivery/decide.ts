import { readRetryAfter, type Answer, type Rejected } from '../answer/answer';
import { createFailure, type FailureKind } from '../answer/failure';
import type { Operation } from '../declaration/operation';
import type { PaceSignal } from './pace';

export const MAX_TRIES = 4;

/** Which failures are tried again. A timeout, or an answer that cannot be read, never is. */
const RETRIED_KINDS: readonly FailureKind[] = ['unreachable', 'serviceError'];

/** Back-off before the second try, in milliseconds; it doubles with each further one. */
const FIRST_BACKOFF = 500;

/** The longest back-off, in milliseconds. */
const MAX_BACKOFF = 30_000;

/** What is known when an answer comes. */
export interface SoFar {
	/** The decided answers to the same request before this one. */
	readonly earlier: readonly Rejected[];
	/** How long the item still waits for the service, in milliseconds. */
	readonly waitLeft: number;
	/** True while nothing answers: each item then gets one try. */
	readonly isServiceDown: boolean;
	/** In milliseconds since the epoch. */
	readonly now: number;
	/** From 0 to 1, by chance: what was refused at once is not to come back at once. */
	readonly chance: number;
}

/**
 * What follows from an answer. `done`: the request was accepted. `giveUp`: it is not sent again.
 * `wait`, `again`: it is sent again when the gate lets it, in `after` milliseconds at the earliest;
 * `wait` costs no try. `answer` is what the item gets unless a later one takes its place.
 */
export type Decision =
	| { readonly next: 'done'; readonly answer: Answer }
	| { readonly next: 'giveUp'; readonly answer: Rejected }
	| { readonly next: 'wait' | 'again'; readonly after: number; readonly answer: Rejected };

/**
 * Decides what follows from an answer. What reaches people or adds data is tried again only if the
 * service certainly did nothing. Each further refusal waits longer, whatever the service says.
 */
export function decide(operation: Operation, given: Answer, soFar: SoFar): Decision {
	const { earlier, waitLeft, isServiceDown, now, chance } = soFar;
	const mayHaveWorked = earlier.some(({ effect }) => effect === 'possible');
	const answer = mayHaveWorked ? afterDoubt(operation, given) : given;
	if (answer.kind === 'accepted') return { next: 'done', answer };

	const { effect, failure, retryAfter } = answer;
	const giveUp = { next: 'giveUp', answer } as const;
	// The service did nothing, and may soon.
	if (asksToWait(answer)) {
		const asked = readRetryAfter(retryAfter, now);
		if (waitLeft <= 0 || (asked ?? 0) > waitLeft) return giveUp;
		const refusals = earlier.filter(asksToWait).length + (asked === undefined ? 1 : 0);
		return { next: 'wait', after: Math.min(backoff(refusals, chance), waitLeft), answer };
	}
	const tries = triesOf([...earlier, answer]);
	// Twice is once, or the service did nothing.
	const isSafe = operation.repeatable || effect !== 'possible';
	const isRetried = isSafe && RETRIED_KINDS.includes(failure.kind);
	if (!isRetried || isServiceDown || tries >= MAX_TRIES) return giveUp;
	return { next: 'again', after: backoff(tries, chance), answer };
}

/** Says whether the service did nothing and wants to be asked later. That costs no try. */
export const asksToWait = ({ effect }: Rejected): boolean => effect === 'noneYet';

/** Counts the tries that these answers have cost. */
export const triesOf = (answers: readonly Rejected[]): number =>
	answers.filter((answer) => !asksToWait(answer)).length;

/**
 * Reads an answer after a try that may have worked. What is to be deleted and is gone was deleted.
 * Other failures become unknown, except those of a read and those of kind `serviceError`.
 */
function afterDoubt({ doneIfGone = false, request }: Operation, answer: Answer): Answer {
	if (answer.kind === 'accepted') return answer;
	const { kind, hint, ...failure } = answer.failure;
	// Without a text, it is not the service that answered.
	if (doneIfGone && kind === 'notFound' && failure.serviceMessage !== null)
		return { kind: 'accepted', body: { msg: failure.serviceMessage } };
	const keepsOutcome = kind === 'serviceError' || request.method === 'GET';
	return keepsOutcome
		? answer
		: { ...answer, failure: createFailure({ ...failure, kind, outcome: 'unknown' }) };
}

/** Gives the wait after so many refusals or tries, in milliseconds: exponential, half by chance. */
function backoff(times: number, chance: number): number {
	if (times === 0) return 0;
	return (Math.min(FIRST_BACKOFF * 2 ** (times - 1), MAX_BACKOFF) * (1 + chance)) / 2;
}

/** Reads what an answer says about the pace. */
export function paceOf(answer: Answer): PaceSignal {
	if (answer.kind === 'accepted') return { kind: 'taken' };
	const { kind, httpStatus } = answer.failure;
	if (asksToWait(answer) || httpStatus === 503)
		return { kind: 'refused', holdFor: readRetryAfter(answer.retryAfter) };
	const isAnswered = kind !== 'unreachable' && httpStatus !== null && httpStatus < 500;
	return { kind: isAnswered ? 'taken' : 'unknown' };
}
