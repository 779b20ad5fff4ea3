import { z } from 'zod';

/** The types of columns that the contact book uses, as n8n names them. */
export type ColumnType = 'string' | 'date' | 'boolean';

/** The columns of the contact book, with their types: what people look for first, as n8n shows them in this order. A table may have others, which are left alone. */
export const COLUMNS = {
	/** `+` and digits; in a row that somebody has entered for `doNotContact`, in any notation of a recipient's number. */
	phone: 'string',
	/** When the last request was sent; of a claim, when it was made. */
	contactedAt: 'date',
	/** See {@link Outcome}. */
	outcome: 'string',
	/** True if the number must not be contacted. */
	doNotContact: 'boolean',
	/** The user's own ID of the contact. */
	reference: 'string',
	/** When the end of the call came in, and what it says. */
	endedAt: 'date',
	summary: 'string',
	/** E.g. `call.place`. */
	operation: 'string',
	/** The service's ID of the call, the message or the campaign. */
	contactId: 'string',
	/** The mode of the credential, `live` or `redirect`. */
	mode: 'string',
	/** The IDs of the workflow and of the execution in n8n. */
	workflow: 'string',
	execution: 'string',
	/** Names the item in all tries of its execution, so that a retry finds its rows. */
	claim: 'string',
	/** Names the run that waits for the end of the call. */
	wait: 'string',
	/** Where the execution that made the contact can be resumed, if it waits. */
	resumeUrl: 'string',
	/** What else the end of the call says. */
	callStartTime: 'string',
	variables: 'string',
} as const satisfies Readonly<Record<string, ColumnType>>;

export type ColumnName = keyof typeof COLUMNS;

const isColumnName = (name: string): name is ColumnName => name in COLUMNS;

export const COLUMN_NAMES: readonly ColumnName[] = Object.keys(COLUMNS).filter(isColumnName);

/**
 * What became of a contact: it is claimed before its request is sent, and settled afterwards. `notMade`: the service
 * certainly did nothing.
 */
export type Outcome = 'claimed' | 'accepted' | 'unknown' | 'notMade';

/** What is written into a row. Dates are ISO 8601. */
export type RowValues = Partial<Record<ColumnName, string | boolean | null>> & {
	readonly outcome?: Outcome;
};

/** A text that somebody may have edited: anything else counts as none. */
const text = z.string().nullish().catch(null);

/** A moment in milliseconds since the epoch; `NaN` if there is none that can be read. */
const moment = z
	.unknown()
	.transform((value) => (typeof value === 'string' ? Date.parse(value) : Number.NaN));

/** A row as n8n returns it. People edit rows by hand, so that a column holds whatever they entered. */
export const bookRow = z.object({
	id: z.number(),
	phone: text,
	contactedAt: moment,
	operation: text,
	outcome: text,
	contactId: text,
	reference: text,
	workflow: text,
	execution: text,
	mode: text,
	doNotContact: z.unknown().transform((value) => value === true),
	resumeUrl: text,
	claim: text,
	createdAt: moment,
	/** As n8n writes it. */
	updatedAt: z.string(),
});

export type BookRow = z.output<typeof bookRow>;
