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

/** What became of an item: accepted, failed, held back by a rule of contact, or only checked. */
export type Outcome =
	Accepted | Failed | ({ readonly kind: 'heldBack' } & HeldBack) | { readonly kind: 'checked' };

export const failed = (failure: Failure): Failed => ({ kind: 'failed', failure });

/** Says why the item failed; `undefined` if it did not. */
export const failureOf = (outcome: Outcome | undefined): Failure | undefined =>
	outcome?.kind === 'failed' ? outcome.failure : undefined;

/** Says whether the item was accepted, or its outcome is unknown. */
export const mayHaveBeenSent = (outcome: Outcome): boolean =>
	outcome.kind === 'accepted' || failureOf(outcome)?.outcome === 'unknown';
