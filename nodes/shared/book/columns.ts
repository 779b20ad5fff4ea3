import { z } from 'zod';

/** The columns of the contact book, with their types, in the order in which n8n shows them. */
export const COLUMNS = {
	/** `+` and digits; in rows entered for `doNotContact`, any notation of *Do Not Contact*. */
	phone: 'string',
	/** When the last request was sent; of a claim, when it was made. */
	contactedAt: 'date',
	outcome: 'string',
	/** True if the number must not be contacted. */
	doNotContact: 'boolean',
	/** The user's own ID of the contact. */
	reference: 'string',
	/** The name of the list that the contact is of. */
	list: 'string',
	/** `yes` or `no`: whether the call reached the person. */
	reached: 'string',
	/** When the person wants to be called again. */
	callBackAt: 'date',
	/** When the end of the call came in, and what it says. */
	endedAt: 'date',
	summary: 'string',
	/** E.g. `call.place`. */
	operation: 'string',
	/** The service's ID of the call, the message or the campaign. */
	contactId: 'string',
	/** The mode of the credential, `live` or `redirect`. */
	mode: 'string',
	workflow: 'string',
	execution: 'string',
	/** `<item>.<attempt>`: the first finds the rows of an item in all tries, both settle one. */
	claim: 'string',
	/** Names the run that waits for the end of the call. */
	wait: 'string',
	/** Where the execution that made the contact can be resumed, if it waits. */
	resumeUrl: 'string',
	/** What else the end of the call says. */
	callStartTime: 'string',
	variables: 'string',
} as const satisfies Readonly<Record<string, 'string' | 'date' | 'boolean'>>;

export type ColumnName = keyof typeof COLUMNS;

const isColumnName = (name: string): name is ColumnName => name in COLUMNS;

export const COLUMN_NAMES: readonly ColumnName[] = Object.keys(COLUMNS).filter(isColumnName);

/**
 * What became of a contact: it is claimed before its request is sent, and settled afterwards.
 * `notMade`: the service certainly did nothing.
 */
export type RowOutcome = 'claimed' | 'accepted' | 'unknown' | 'notMade';

/** What is written into a row. Dates are ISO 8601. */
export type RowValues = Partial<Record<ColumnName, string | boolean | null>> & {
	readonly outcome?: RowOutcome;
};

/** A text that somebody may have edited: anything else counts as none. */
const text = z.string().nullish().catch(null);

/** A moment in milliseconds since the epoch; `NaN` if there is none that can be read. */
const moment = z
	.unknown()
	.transform((value) => (typeof value === 'string' ? Date.parse(value) : Number.NaN));

const flag = z.unknown().transform((value) => value === true);

/** A row of n8n, `updatedAt` as n8n writes it. People edit rows: columns hold what they entered. */
export const bookRow = z.object({
	id: z.number(),
	createdAt: moment,
	updatedAt: z.string(),
	phone: text,
	contactedAt: moment,
	outcome: text,
	doNotContact: flag,
	reference: text,
	list: text,
	reached: text,
	callBackAt: moment,
	endedAt: moment,
	summary: text,
	operation: text,
	contactId: text,
	mode: text,
	workflow: text,
	execution: text,
	claim: text,
	wait: text,
	resumeUrl: text,
	callStartTime: text,
	variables: text,
});

export type BookRow = z.output<typeof bookRow>;
