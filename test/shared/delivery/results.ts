import { createFailure, type Outcome } from '../../../nodes/shared/answer/failure';
import type { ItemResult } from '../../../nodes/shared/delivery/result';
import { planOf } from '../samples';

/** Plans of items: a call, another one, one that is sent again if nobody can say, one that is refused, and a safe one. */
export const plan = planOf('call.place');
export const other = planOf('call.place', { toNumber: '+4915199999999' });
export const sendAgain = planOf('call.place', { options: { ifOutcomeUnknown: 'sendAgain' } });
export const refused = {
	...plan,
	failure: createFailure({ kind: 'invalidInput', outcome: 'notSent' }),
};
export const repeatable = planOf('assistant.updatePrompt');

export const accepted = {
	accepted: true,
	body: { callId: '1', status: 'placed' },
	via: 'main' as const,
} satisfies ItemResult;

export const failed = (outcome: Outcome): ItemResult => ({
	accepted: false,
	failure: createFailure({ kind: 'serviceError', outcome }),
});
