import { MAX_DEPTH } from '../shared/values';

/**
 * How each delivery is answered that starts no execution, and what to do about it, in the order of
 * the checks. The texts tell strangers nothing of the setup.
 */
export const REFUSALS = {
	addressNotListed: {
		httpStatus: 403,
		message: 'The address of the sender is not on the IP allowlist.',
		hint: 'Add it to "IP Allowlist" in the trigger. Behind a proxy, set N8N_PROXY_HOPS.',
	},
	secretWrong: {
		httpStatus: 401,
		message: 'The secret of the webhook is missing or wrong.',
		hint: 'Compare the header and the secret with "Webhook Header" and "Webhook Secret" of the credential.',
	},
	credentialUnreadable: {
		httpStatus: 503,
		message: 'The secret cannot be checked now.',
		hint: 'Check the database of n8n, then send the event again.',
	},
	bodyNotAnObject: {
		httpStatus: 400,
		message: `Expected the properties of a call as a JSON object, nested at most ${MAX_DEPTH} deep.`,
		hint: 'Check the body that was sent. If it is larger than n8n allows, raise N8N_PAYLOAD_SIZE_MAX.',
	},
	inProgress: {
		httpStatus: 503,
		message: 'An earlier delivery of the event is still being handled.',
		hint: 'Send the event again. Check whether executions of n8n wait in a queue.',
	},
} as const;

/** Thrown by a step of `receiveDelivery` for a delivery that is to be refused. */
export class Refused extends Error {
	constructor(readonly reason: keyof typeof REFUSALS) {
		super(REFUSALS[reason].message);
	}
}
