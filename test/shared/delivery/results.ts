import { readAnswer, type Answer } from '../../../nodes/shared/answer/answer';
import { createFailure, type Failure } from '../../../nodes/shared/answer/failure';
import type { Operation } from '../../../nodes/shared/declaration/operation';
import type { Accepted, Failed } from '../../../nodes/shared/delivery/outcome';
import type { Unsendable } from '../../../nodes/shared/items/item';
import { planOf } from '../samples';

/** Items: a call, another one, one that is sent again if nobody can say, one that is refused, and a safe one. */
export const plan = planOf('call.place');
export const other = planOf('call.place', { toNumber: '+4915199999999' });
export const sendAgain = planOf('call.place', { options: { ifOutcomeUnknown: 'sendAgain' } });
export const refused: Unsendable = {
	...plan,
	kind: 'unsendable',
	failure: createFailure({ kind: 'invalidInput', outcome: 'notSent' }),
	isRefusedWithRun: false,
};
export const repeatable = planOf('assistant.updatePrompt');

export const accepted: Accepted = {
	kind: 'accepted',
	body: { callId: '1', status: 'placed' },
	via: 'main',
};

export const failed = (outcome: Failure['outcome']): Failed => ({
	kind: 'failed',
	failure: createFailure({ kind: 'serviceError', outcome }),
});

/** What becomes of a request: no connection, no answer, or an answer. */
export interface Says {
	readonly says: 'accepted' | 400 | 429 | 503 | 'nothing' | 'unreachable';
	/** In seconds. */
	readonly retryAfter?: number;
}

export function answerOf(operation: Operation, { says, retryAfter }: Says): Answer {
	if (says === 'accepted') return { kind: 'accepted', body: { callId: '1' } };
	if (says === 'nothing') return failedBy('timeout', 'unknown');
	if (says === 'unreachable') return failedBy('unreachable', 'notSent');
	const header = retryAfter === undefined ? {} : { retryAfter: String(retryAfter) };
	return readAnswer(operation, { status: says, body: {}, ...header });
}

const failedBy = (kind: 'timeout' | 'unreachable', outcome: 'unknown' | 'notSent'): Answer => ({
	kind: 'failed',
	effect: outcome === 'unknown' ? 'possible' : 'none',
	failure: createFailure({ kind, outcome }),
});
