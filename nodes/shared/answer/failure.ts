import type { IDataObject } from 'n8n-workflow';

import { listFirst } from '../values';
import { tellFaults, type Fault } from './valueFault';

/** What became of a request: the service said no, it never left, or nobody can say. */
export type FailureOutcome = 'refused' | 'notSent' | 'unknown';

/** Everything a user or a workflow gets to know of a request that was not accepted. */
export interface Failure {
	readonly kind: FailureKind;
	readonly outcome: FailureOutcome;
	/** What happened, in the user's words; see {@link messageOf}. */
	readonly message: string;
	/** What to do about it; what an unknown outcome means is said where it is put out. */
	readonly hint: string;
	/** What an AI agent is to do, if it cannot do what the hint says. Not part of the output. */
	readonly advice?: string;
	readonly httpStatus: number | null;
	/** The service's own text, or the title of the page that answered instead. */
	readonly serviceMessage: string | null;
	/** The `code` of the service's error body, or the system's code of a connection that failed. */
	readonly code: string | number | null;
	/** A link to a description of the error, from the service's error body. */
	readonly moreInfo: string | null;
	/** What is wrong with the fields of the item or the credential: what is told then. */
	readonly faults?: readonly Fault[];
	/** The item's row, counted from 1, if its values are wrong. */
	readonly row?: number;
	/** The names of the item's properties in quotation marks, if a value is empty. */
	readonly properties?: readonly string[];
	/** True if its turn had not come when the run stopped: then it says nothing of the item. */
	readonly hadNoTurn?: boolean;
	/** What is of an earlier try: all, or only the unknown outcome. Not part of the output. */
	readonly ofEarlierTry?: 'failure' | 'outcome';
}

const TEMPLATE_FIRST =
	'Send a template message first, or set "When Window Is Closed" to "Send Template".';

export const FAILURE_TEXTS = {
	invalidInput: {
		message: 'The service rejected the values of this item',
		hint: "Compare the item's values with what the service says, and correct them.",
	},
	invalidApiKey: {
		message: 'The API key is not valid',
		hint: 'In the credential, enter the "API Key" and the "Workspace ID" of the same workspace.',
	},
	missingApiKey: {
		message: 'The API key did not reach the service',
		hint: 'Enter the "API Key" in the credential. If it is there, look for a proxy that removes the header x-api-key.',
	},
	upgradeRequired: {
		message: 'Your plan at the service does not allow this',
		hint: 'Upgrade your plan, or wait until it has room again.',
	},
	forbidden: {
		message: 'The API key is not allowed to do this',
		hint: 'In the credential, enter the "API Key" of the workspace that owns the assistant or knowledge base.',
	},
	notFound: {
		message: 'The service does not know one of the IDs',
		hint: 'Check the IDs of this item and the "Workspace ID". If nothing is ever found, check "Base URL" in the credential.',
	},
	windowClosed: { message: 'The customer window is closed', hint: TEMPLATE_FIRST },
	windowNotOpen: { message: 'The customer window is not open yet', hint: TEMPLATE_FIRST },
	noSenderNumber: {
		message: 'The workspace has no msgapp phone number',
		hint: 'Add a msgapp phone number to the workspace in the dashboard of the service, then try again.',
	},
	rateLimited: {
		message: 'The rate limit of the service is reached',
		hint: 'Try again later, or raise "Max Wait" in the options.',
	},
	serviceError: {
		message: 'The service could not process the request',
		hint: 'Try again later. If this comes back, ask the support of the service.',
	},
	badResponse: {
		message: 'The service gave no clear answer',
		hint: 'If the service gives no reason, check "Base URL" in the credential: it is the address that comes before /v1.',
	},
	unreachable: {
		message: 'The service could not be reached',
		hint: 'Check "Base URL" in the credential, and the network between n8n and the service.',
	},
	timeout: {
		message: 'The service did not answer in time',
		hint: 'Raise "Timeout" in the options if the service needs longer.',
	},
	stopped: {
		message: 'Not sent, because the run was stopped',
		hint: 'Retry this execution: it sends the items that were not sent.',
	},
} as const satisfies Record<string, { message: string; hint: string }>;

export type FailureKind = keyof typeof FAILURE_TEXTS;

/** Kinds whose hint (try again, look at the network) misleads if it may have taken effect. */
const MISLEADING_IF_UNKNOWN: ReadonlySet<FailureKind> = new Set(['serviceError', 'unreachable']);

type FailureFacts = Pick<Failure, 'kind' | 'outcome'> & Partial<Failure>;

/** Completes the facts of a failure with the texts of its kind and `null` for what is not known. */
export function createFailure({ hint, ...facts }: FailureFacts): Failure {
	const texts = FAILURE_TEXTS[facts.kind];
	const isMisleading = facts.outcome === 'unknown' && MISLEADING_IF_UNKNOWN.has(facts.kind);
	return {
		message: texts.message,
		hint: hint ?? (isMisleading ? '' : texts.hint),
		httpStatus: null,
		serviceMessage: null,
		code: null,
		moreInfo: null,
		...facts,
	};
}

/** Makes the failure of what the node itself refuses to send. */
export const invalidInput = (facts: Omit<Partial<Failure>, 'kind' | 'outcome'>): Failure =>
	createFailure({ kind: 'invalidInput', outcome: 'notSent', ...facts });

/** Tells what happened to an item: `To Number is empty (row 1); the item has "phone ", "name"`. */
export function messageOf(failure: Failure): string {
	const { message, faults, row, properties = [], ofEarlierTry } = failure;
	const what = faults === undefined ? message : tellFaults(faults);
	const before = ofEarlierTry === 'outcome' ? ', and an earlier try may have sent it' : '';
	const where = row === undefined ? '' : ` (row ${row})`;
	const has = properties.length > 0 ? `; the item has ${listFirst(properties)}` : '';
	return what + before + where + has;
}

/** Gives the `details` of an item that failed, as the next node gets them. */
export const failureDetails = (failure: Failure): IDataObject => {
	const { kind, outcome, httpStatus, serviceMessage, hint, code, moreInfo } = failure;
	return { kind, outcome, httpStatus, serviceMessage, hint, code, moreInfo };
};

/** Quotes what the answer says, as a sentence; nothing if it says nothing. */
export const quoteService = (serviceMessage: string | null): string =>
	serviceMessage === null ? '' : `The answer says: ${asSentence(serviceMessage)}`;

export const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
