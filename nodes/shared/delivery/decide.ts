import { readRetryAfter, type Answer, type Rejected } from '../answer/answer';
import { createFailure, type FailureKind } from '../answer/failure';
import type { Operation } from '../declaration/operation';
import type { PaceSignal } from '../gate/pace';

/** How often a request goes out; one that is asked to come later does not count (rule 7). */
export const MAX_REQUESTS = 4;

/** For which failures it goes out again. A timeout, or an answer that cannot be read, never is. */
const RETRIED_KINDS: readonly FailureKind[] = ['unreachable', 'serviceError'];

/** The back-off in milliseconds: before the second request, doubled by each one, and at most. */
const BACKOFF = { first: 500, longest: 30_000 } as const;

/** What is known when an answer comes. */
export interface SoFar {
	/** The decided answers to the same request before this one. */
	readonly earlier: readonly Rejected[];
	/** How long the item still waits for the service, in milliseconds. */
	readonly waitLeft: number;
	/** True while nothing answers: each item then gets one request. */
	readonly isServiceDown: boolean;
	/** In milliseconds since the epoch. */
	readonly now: number;
	/** From 0 to 1, by chance: what was refused at once is not to come back at once. */
	readonly chance: number;
}

/**
 * What follows from an answer. `done`: the request was accepted. `giveUp`: it is not sent again.
 * `wait`, `again`: it is sent again when the gate lets it, in `after` milliseconds at the earliest;
 * `wait` does not count. `answer` is what the item gets unless a later one takes its place.
 */
export type Decision =
	| { readonly next: 'done'; readonly answer: Answer }
	| { readonly next: 'giveUp'; readonly answer: Rejected }
	| { readonly next: 'wait' | 'again'; readonly after: number; readonly answer: Rejected };

/**
 * Decides what follows from an answer. What reaches people or adds data goes out again only if the
 * service certainly did nothing. Each further refusal waits longer, whatever the service says.
 */
export function decide(operation: Operation, received: Answer, soFar: SoFar): Decision {
	const { earlier, waitLeft, isServiceDown, now, chance } = soFar;
	const mayHaveWorked = earlier.some(({ effect }) => effect === 'possible');
	const answer = mayHaveWorked ? afterDoubt(operation, received) : received;
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
	const requests = countRequests([...earlier, answer]);
	// Twice is once, or the service did nothing.
	const isSafe = operation.repeatable || effect !== 'possible';
	const isRetried = isSafe && RETRIED_KINDS.includes(failure.kind);
	// While nothing answers, one request of each item shows it.
	if (!isRetried || isServiceDown || requests >= MAX_REQUESTS) return giveUp;
	return { next: 'again', after: backoff(requests, chance), answer };
}

/** Says whether the fallback is sent: the service certainly did nothing, and for such a reason. */
export const isFallbackDue = ({ fallback }: Operation, { effect, failure }: Rejected): boolean =>
	effect === 'none' && fallback?.kinds.includes(failure.kind) === true;

/** Says whether the service did nothing and wants to be asked later. */
export const asksToWait = ({ effect }: Rejected): boolean => effect === 'noneYet';

/** Counts the requests that got these answers, but for those that were asked to come later. */
export const countRequests = (answers: readonly Rejected[]): number =>
	answers.filter((answer) => !asksToWait(answer)).length;

/**
 * Reads an answer after a request that may have worked. What is gone now, it has deleted. Other
 * failures become unknown, except those of a read and those of kind `serviceError`.
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

/** Gives the wait after so many failures, in milliseconds: exponential, half by chance. */
function backoff(failures: number, chance: number): number {
	if (failures === 0) return 0;
	return (Math.min(BACKOFF.first * 2 ** (failures - 1), BACKOFF.longest) * (1 + chance)) / 2;
}

/** Reads what an answer says about the pace. */
export function paceOf(answer: Answer): PaceSignal {
	if (answer.kind === 'accepted') return { kind: 'served' };
	const { kind, httpStatus } = answer.failure;
	if (asksToWait(answer) || httpStatus === 503)
		return { kind: 'refused', holdFor: readRetryAfter(answer.retryAfter) };
	const isAnswered = kind !== 'unreachable' && httpStatus !== null && httpStatus < 500;
	return { kind: isAnswered ? 'served' : 'unknown' };
}
