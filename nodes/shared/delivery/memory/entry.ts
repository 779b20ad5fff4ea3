import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Failure } from '../../answer/failure';
import type { HeldBack } from '../../outreach/heldBack';
import type { ServiceRequest } from '../../request/serviceRequest';
import { isObject } from '../../values';

/** What an accepted item puts out. */
export interface Accepted {
	readonly body: IDataObject;
	readonly via: 'main' | 'fallback';
	/** What the operation that was asked first adds to the output. */
	readonly added: IDataObject;
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

const jsonObject = z.custom<IDataObject>(isObject);

/** What is known of an item that was sent. */
const entry = z.object({
	/** The same in all copies that n8n saves of it. */
	id: z.string(),
	/** The place of the item in the run that sent it. */
	index: z.number(),
	inputHash: z.string(),
	requestHash: z.string(),
	recipientHash: z.string().optional(),
	/** What the operation that was asked first has added, from before the first send. */
	added: jsonObject.optional(),
	accepted: z
		.object({ body: jsonObject, via: z.enum(['main', 'fallback']), added: jsonObject })
		.optional(),
	/** Set if it is certain that the service did nothing, or that nobody can say; else it is under way. */
	failure: z.custom<Failure>(isObject).optional(),
});

export type Entry = z.output<typeof entry>;

/** One run of a node, as n8n saves it with the execution. */
const run = z.object({
	/** Names the run: the same in an execution, its retries and theirs. */
	origin: z.string(),
	executionId: z.string(),
	/** How often n8n has run the node for these items in this execution. */
	tries: z.number(),
	/** True if it began in a retry for which nothing of it had been saved: n8n died, or an earlier node failed. */
	isLost: z.boolean().optional(),
	entries: z.array(entry),
});

export type Run = z.output<typeof run>;

/** True if n8n has handed over a run as it was saved. */
export const isRun = (value: unknown): value is Run => run.safeParse(value).success;
