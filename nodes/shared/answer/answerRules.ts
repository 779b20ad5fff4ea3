import type { z } from 'zod';

import type { FailureKind } from './failure';
import type { FieldNames } from './namedFields';

/** Checks one property of an answer, and may make another value of it. */
export type Marker = z.ZodType<unknown, z.ZodTypeDef, unknown>;

/** What has to be known of an operation to tell what an answer to it means. */
export interface AnswerRules {
	/** True if sending it twice does what sending it once does: nobody is reached, nothing is added. */
	readonly repeatable: boolean;
	/**
	 * Response properties that identify success; at least one must validate. A `status` among them must validate if the
	 * answer has one (S 2.6).
	 */
	readonly successMarkers: Readonly<Record<string, Marker>>;
	/** What the statuses mean for this operation where it differs from the rest (S 7.1). */
	readonly statusKinds?: Readonly<Record<number, FailureKind>>;
	/** For an answer that names a property of the request. */
	readonly fieldNames?: FieldNames;
	/** What to check if the service rejects the values and names none of them, in sentences. */
	readonly usualMistake?: string;
}

/** The request properties of one item by the names of the specification, path and body together. */
export type RequestProperties = Readonly<Record<string, unknown>>;
