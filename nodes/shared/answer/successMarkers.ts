import { z } from 'zod';

import type { Marker } from './answerRules';

/**
 * Checks of response properties that identify success. They are lenient: enough to tell an answer of the service from
 * anything else.
 */
const filledText: Marker = z.string().refine((value) => value.trim() !== '');

export const marker = {
	anyText: z.string(),
	filledText,
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
} as const satisfies Record<string, Marker>;
