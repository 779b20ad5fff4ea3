import { createFailure, type Outcome } from '../../../nodes/shared/answer/failure';
import type { ItemResult } from '../../../nodes/shared/delivery/result';

export const accepted: ItemResult = { accepted: true, body: {}, via: 'main', added: {} };

export const failed = (outcome: Outcome): ItemResult => ({
	accepted: false,
	failure: createFailure({ kind: 'serviceError', outcome }),
});
