import { createFailure, type Failure } from '../../../nodes/shared/answer/failure';
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
