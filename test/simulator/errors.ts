import { STATUS_CODES } from 'node:http';
import { jsonReply, type Reply } from './reply';

/**
 * The errors of S 5 and S 7 with their common texts.
 * Own choice: the statuses wherever S 7.1 labels none (all of S 7.2), and all of `paragraphNotFound` and
 * `tooManyRequests`.
 */
export const ERRORS = {
	invalidInput: { status: 400, text: 'Bad request' },
	invalidKey: { status: 401, text: 'API key not valid' },
	missingKey: { status: 401, text: 'No API key, authorization denied' },
	upgradeNeeded: { status: 402, text: 'Account upgrade is needed to continue' },
	forbidden: { status: 403, text: 'Forbidden' },
	notFound: { status: 404, text: 'Not found' },
	paragraphNotFound: { status: 404, text: 'Paragraph does not exist' },
	methodNotAllowed: { status: 405, text: 'Method not allowed' },
	noSenderNumber: {
		status: 409,
		text: 'No msgapp phone number ids are found for the workspace. Phone numbers must be added first.',
	},
	windowClosed: {
		status: 400,
		text: 'More than 24 hours have passed since the last message. The customer window is closed, send a template message first.',
	},
	windowNotOpen: {
		status: 400,
		text: 'The customer has not responded yet, so the customer window is not open for a non-template message.',
	},
	tooManyRequests: { status: 429, text: 'Too many requests' },
	serverError: { status: 500, text: 'Server error' },
} as const satisfies Record<string, { status: number; text: string }>;

export type ErrorKind = keyof typeof ERRORS;

/** The kind that stands for a status when nothing more is known: the first one with it. */
const kindOfStatus = (status: number): ErrorKind | undefined =>
	(Object.keys(ERRORS) as ErrorKind[]).find((kind) => ERRORS[kind].status === status);

type ErrorField = 'msg' | 'message' | 'error';

/** How an endpoint group words its errors (S 7). */
export interface ErrorStyle {
	field: ErrorField;
	/** Kinds that are answered in another field. */
	fields?: Partial<Record<ErrorKind, ErrorField>>;
	/** Kinds that have a text of their own. */
	texts?: Partial<Record<ErrorKind, string>>;
	/** The body repeats the status as a number (single campaign). */
	numericStatus?: boolean;
	/** Whether an invalid input is answered by `code` and `moreInfo` instead of a text; sees the request's body. */
	codeAndMoreInfo?: (requestBody: unknown) => boolean;
}

/** Own choice: the field of errors outside of every endpoint. */
export const NO_ENDPOINT_STYLE: ErrorStyle = { field: 'message' };

/** Thrown where the service says no. */
export class Refusal extends Error {
	constructor(
		readonly kind: ErrorKind,
		readonly detail?: string,
	) {
		super(detail ?? kind);
	}
}

export function refusalReply(style: ErrorStyle, refusal: Refusal, requestBody: unknown): Reply {
	const { kind, detail } = refusal;
	const { status, text } = ERRORS[kind];
	if (kind === 'invalidInput' && style.codeAndMoreInfo?.(requestBody)) {
		// Own choice: the code's value and the link; S 7 shows only the names of the two fields.
		return jsonReply(status, { code: 40000, moreInfo: 'https://service.example/errors/40000' });
	}
	// Own choice: the wording of what exactly is wrong with an input.
	const message = detail === undefined ? (style.texts?.[kind] ?? text) : `Invalid input: ${detail}`;
	return jsonReply(status, {
		[style.fields?.[kind] ?? style.field]: message,
		...(style.numericStatus && { status }),
	});
}

/** The body that S 7 gives for a status on this endpoint group. */
export function statusReply(style: ErrorStyle, status: number, requestBody: unknown): Reply {
	const kind = kindOfStatus(status);
	if (kind !== undefined) return refusalReply(style, new Refusal(kind), requestBody);
	return jsonReply(status, {
		[style.field]: STATUS_CODES[status] ?? 'Error',
		...(style.numericStatus && { status }),
	});
}
