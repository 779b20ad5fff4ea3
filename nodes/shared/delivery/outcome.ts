import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../answer/failure';
import type { HeldBack } from '../rules/heldBack';

/** What an accepted item puts out. */
export interface Accepted {
	readonly kind: 'accepted';
	readonly body: IDataObject;
	readonly via: 'main' | 'fallback';
	/** The columns of an item whose answer is lost, but for its ID. */
	readonly recalled?: IDataObject;
}

export interface Failed {
	readonly kind: 'failed';
	readonly failure: Failure;
}

/** What became of an item of a run: it was sent or failed, a rule of contact held it back, or it was only checked. */
export type Outcome =
	Accepted | Failed | ({ readonly kind: 'heldBack' } & HeldBack) | { readonly kind: 'checked' };

/** The outcome of an item that failed. */
export const failed = (failure: Failure): Failed => ({ kind: 'failed', failure });

/** Why the item failed; `undefined` if it did not. */
export const failureOf = (outcome: Outcome): Failure | undefined =>
	outcome.kind === 'failed' ? outcome.failure : undefined;

/** True if the item was accepted, or nobody can say. */
export const mayHaveBeenSent = (outcome: Outcome): boolean =>
	outcome.kind === 'accepted' || failureOf(outcome)?.outcome === 'unknown';
