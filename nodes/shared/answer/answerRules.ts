import { z } from 'zod';

import type { FailureKind } from './failure';

/** Checks that tell a promised property from anything else. They are lenient. */
export const marker = {
	anyText: z.string(),
	filledText: z.string().refine((value) => value.trim() !== ''),
	list: z.array(z.unknown()),
	/** With anything in it: an answer that failed may hold an empty one. */
	filledObject: z.record(z.unknown()).refine((value) => Object.keys(value).length > 0),
	/** S 2.6, in any case and with white space around it. */
	callStatus: z
		.string()
		.trim()
		.toLowerCase()
		.pipe(z.enum(['placed', 'queued'])),
	/** S 2.4 */
	knowledgeBase: z.object({ paragraphs: z.array(z.record(z.unknown())) }),
	/** S 4.14 */
	done: z.literal(true),
} as const;

/** What has to be known of an operation to tell what an answer to it means. */
export interface AnswerRules {
	/** True if sending it twice does the same as once: nobody is reached, nothing is added. */
	readonly repeatable: boolean;
	/** A good answer has at least one of these; a `status` among them must fit if there is one. */
	readonly successMarkers: Readonly<Record<string, z.ZodTypeAny>>;
	/** What the statuses mean for this operation where it differs from the rest (S 7.1). */
	readonly statusKinds?: Readonly<Record<number, FailureKind>>;
	/** What to check if the service rejects the values and gives no reason, in sentences. */
	readonly usualMistake?: string;
}

/** The request properties of one item by the names of the specification, path and body together. */
export type RequestProperties = Readonly<Record<string, unknown>>;
