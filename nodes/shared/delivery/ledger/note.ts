import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Failure } from '../../answer/failure';
import { isObject } from '../../values';

const jsonObject = z.custom<IDataObject>(isObject);

/** What is noted of an item that was sent. */
const note = z.object({
	/** The same in all copies that n8n saves of it. */
	id: z.string(),
	/** The index of the item in the run that sent it. */
	index: z.number(),
	inputHash: z.string(),
	requestHash: z.string(),
	recipientHash: z.string().optional(),
	/** How often the execution had sent to the same before it; absent where marks are not made. */
	ordinal: z.number().optional(),
	/** The number of the item, cleaned; absent of an operation that reaches nobody by a number. */
	toNumber: z.string().optional(),
	accepted: z.object({ body: jsonObject, via: z.enum(['main', 'fallback']) }).optional(),
	/** Set if the outcome is unknown. Without it and `accepted`, the item is under way, or was when its execution ended. */
	failure: z.custom<Failure>(isObject).optional(),
});

export type Note = z.output<typeof note>;

/** The notes of one run of a node, as n8n saves them with the execution. */
const savedNotes = z.object({
	/** Names the run: the same in an execution, its retries and theirs. */
	origin: z.string(),
	executionId: z.string(),
	/** How often n8n has run the node for these items in this execution. */
	tries: z.number(),
	/** True if it began in a retry for which nothing of it had been saved: n8n died, or an earlier node failed. */
	isLost: z.boolean().optional(),
	entries: z.array(note),
});

export type SavedNotes = z.output<typeof savedNotes>;

/** True if n8n has handed over notes as they were saved. */
export const isSavedNotes = (value: unknown): value is SavedNotes =>
	savedNotes.safeParse(value).success;
