import { readAnswer } from '../../../nodes/shared/answer/answer';
import { operationOf } from '../samples';

/** What a response to an operation means, in short: "accepted", or the kind and the outcome. */
export function meaningOf(
	path: string,
	status: number,
	body: unknown,
	retryAfter?: string,
): string {
	const answer = readAnswer(operationOf(path), { status, body, retryAfter });
	return answer.kind === 'accepted'
		? 'accepted'
		: `${answer.failure.kind} ${answer.failure.outcome}`;
}
