import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Failure } from '../answer/failure';
import type { ItemId } from '../items/subject';
import { isObject } from '../values';

const jsonObject = z.custom<IDataObject>(isObject);

/** What is noted of an item that was sent. */
const note = z.object({
	/** The item; see {@link ItemId}. */
	subject: z.string(),
	nth: z.number(),
	/** The index of the item in the run that sent it. */
	index: z.number(),
	/** True if the test number was reached instead of its number. */
	isRedirected: z.boolean().optional(),
	/** The number of the item, cleaned; absent of an operation that reaches nobody by a number. */
	toNumber: z.string().optional(),
	accepted: z.object({ body: jsonObject, via: z.enum(['main', 'fallback']) }).optional(),
	/** Set if the outcome is unknown. With neither it nor `accepted`, the item was last under way. */
	failure: z.custom<Failure>(isObject).optional(),
});

export type Note = ItemId & z.output<typeof note>;

/** The notes of one run of a node, as n8n saves them with the execution. */
const savedNotes = z.object({
	executionId: z.string(),
	/** How often n8n has run the node for these items in this execution. */
	tries: z.number(),
	entries: z.array(note),
});

export type SavedNotes = z.output<typeof savedNotes>;

/** Says whether n8n has handed over notes as they were saved. */
export const isSavedNotes = (value: unknown): value is SavedNotes =>
	savedNotes.safeParse(value).success;
