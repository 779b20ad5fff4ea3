import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../answer/failure';
import type { HeldBack } from '../outreach/heldBack';
import type { ServiceRequest } from '../request/serviceRequest';

/** What an accepted item puts out. */
export interface Accepted {
	readonly body: IDataObject;
	readonly via: 'main' | 'fallback';
	/** The columns of an item whose answer is lost, but for its ID. */
	readonly recalled?: IDataObject;
}

export type ItemResult =
	| ({ readonly accepted: true } & Accepted)
	| { readonly accepted: false; readonly failure: Failure };

/** What became of an item of a run: it was sent or failed, a rule of contact held it back, or it was only checked. */
export type RunResult =
	ItemResult | { readonly heldBack: HeldBack } | { readonly checked: ServiceRequest };

/** The result of an item that failed. */
export const failed = (failure: Failure) => ({ accepted: false, failure }) as const;

export const isAccepted = (result: RunResult): boolean => 'accepted' in result && result.accepted;

/** Why the item failed; `undefined` if it did not. */
export const failureOf = (result: RunResult): Failure | undefined =>
	'accepted' in result && !result.accepted ? result.failure : undefined;

/** True if the item was accepted, or nobody can say. */
export const mayHaveBeenSent = (result: RunResult): boolean =>
	isAccepted(result) || failureOf(result)?.outcome === 'unknown';
