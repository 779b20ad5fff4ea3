import type { Failure } from '../shared/answer/failure';
import { MAX_DEPTH } from '../shared/values';

/**
 * Why a delivery starts no execution, in the shape of a failure of the node. `kind` is what the normaliser reads from the
 * answer, `message` is the `error` of the answer's body, and `hint` says what to do, in n8n's log and, on the test URL, in
 * the body too.
 */
export interface Refusal extends Pick<Failure, 'kind' | 'message' | 'hint'> {
	readonly httpStatus: number;
	/** The level of the line in n8n's log: `info` if the setup is good and the event only comes too early. */
	readonly level: 'warn' | 'info';
}

/** Several reasons share each of these texts: the sender does not learn how the trigger is set up. */
const NOT_LISTED = 'The address of the sender is not on the IP allowlist.';
const WRONG_SECRET = 'The secret of the webhook is missing or wrong.';

/** Every refusal of the trigger, in the order of its checks. */
export const REFUSALS = {
	addressNotListed: {
		kind: 'forbidden',
		httpStatus: 403,
		message: NOT_LISTED,
		hint: 'If the sender may send events, add its address to the IP Allowlist of the trigger. Behind a proxy, set N8N_PROXY_HOPS.',
		level: 'warn',
	},
	allowlistUnreadable: {
		kind: 'forbidden',
		httpStatus: 403,
		message: NOT_LISTED,
		hint: 'The IP Allowlist of the trigger cannot be read, so nobody may post. Correct it.',
		level: 'warn',
	},
	secretWrong: {
		kind: 'invalidApiKey',
		httpStatus: 401,
		message: WRONG_SECRET,
		hint: 'Compare the header and the secret that were sent with the credential of the trigger. They stand in the webhook setting of the service, or in your test command.',
		level: 'warn',
	},
	credentialMissing: {
		kind: 'invalidApiKey',
		httpStatus: 401,
		message: WRONG_SECRET,
		hint: 'The trigger has no credential that n8n can read, so nobody may post. Choose one.',
		level: 'warn',
	},
	secretMissing: {
		kind: 'invalidApiKey',
		httpStatus: 401,
		message: WRONG_SECRET,
		hint: 'The credential of the trigger has no Webhook Secret, so nobody may post. Enter one.',
		level: 'warn',
	},
	credentialUnreadable: {
		kind: 'serviceError',
		httpStatus: 503,
		message: 'The secret cannot be checked now. Send the event again.',
		hint: 'n8n failed to read the credential. Check the database of n8n.',
		level: 'warn',
	},
	bodyTooLarge: {
		kind: 'invalidInput',
		httpStatus: 400,
		message: 'Expected a smaller event: n8n takes what its setting N8N_PAYLOAD_SIZE_MAX allows.',
		hint: 'If the service sends events of this size, raise N8N_PAYLOAD_SIZE_MAX.',
		level: 'warn',
	},
	bodyNotAnObject: {
		kind: 'invalidInput',
		httpStatus: 400,
		message: `Expected the properties of a call as a JSON object, nested at most ${MAX_DEPTH} deep.`,
		hint: 'Check the body that was sent, or the webhook setting of the service.',
		level: 'warn',
	},
	inProgress: {
		kind: 'serviceError',
		httpStatus: 503,
		message: 'An earlier delivery of the event is still being handled. Send the event again.',
		hint: 'n8n takes long to start its execution. Check whether executions wait in a queue.',
		level: 'info',
	},
} as const satisfies Record<string, Refusal>;

export type RefusalReason = keyof typeof REFUSALS;

/** What a step of `receiveDelivery` returns for a delivery that it refuses. */
export interface Refused {
	readonly refused: RefusalReason;
	/** The message of the error behind it, for n8n's log. Holds nothing that was sent. */
	readonly cause?: string;
}

/** A refusal because of an error. */
export const refusedBy = (refused: RefusalReason, error: unknown): Refused => ({
	refused,
	cause: error instanceof Error ? error.message : 'unknown',
});
