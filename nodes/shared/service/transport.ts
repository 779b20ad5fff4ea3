import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';
import { z } from 'zod';

import { readAnswer, type Answer, type ServiceResponse } from '../answer/answer';
import { readConnectionError } from '../answer/connectionError';
import { createFailure } from '../answer/failure';
import { createRedaction, secretsOf } from '../answer/redact';
import type { ServiceRequest } from './serviceRequest';

export const CREDENTIAL = 'assistantServiceApi';

/**
 * The settings of every request. Redirects are not followed: the key stays with the base address.
 * Error statuses are returned like others; `readAnswer` says what they mean.
 */
export const requestDefaults: Omit<IHttpRequestOptions, 'url'> = {
	json: true,
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
};

/** Makes the credential of own requests, so n8n's helper reads none; see `authenticateRequest`. */
export const ownCredential = (credential: ICredentialDataDecryptedObject) => ({
	...{ id: '', name: CREDENTIAL, type: CREDENTIAL },
	data: { ...credential, isOwnRequest: true },
});

/** Sends one request once and says what became of it. Never throws. */
export type Transport = (request: ServiceRequest) => Promise<Answer>;

/** The response of n8n's helpers with `returnFullResponse` or `resolveWithFullResponse`. */
export const helperResponse = z
	.object({
		statusCode: z.number(),
		headers: z.object({ 'retry-after': z.unknown() }).default({}),
		body: z.unknown(),
	})
	.transform(({ statusCode, headers, body }): ServiceResponse => {
		const retryAfter = headers['retry-after'];
		return { status: statusCode, body, ...(typeof retryAfter === 'string' && { retryAfter }) };
	});

/**
 * Creates the only place that knows HTTP. The credential is read once, by the caller, and its
 * secrets are taken out of everything that comes back.
 */
export function createTransport(
	context: IExecuteFunctions | ILoadOptionsFunctions,
	credential: ICredentialDataDecryptedObject,
): Transport {
	const redact = createRedaction(secretsOf(credential));
	const credentialsDecrypted = ownCredential(credential);
	const cancelled =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	return async ({ operation, method, url, body, timeout }) => {
		// The client's timeout counts between two bytes. Only what is safe to repeat can be cancelled.
		const deadline = AbortSignal.timeout(timeout);
		const isCancellable = operation.repeatable && cancelled !== undefined;
		const signal = isCancellable ? AbortSignal.any([cancelled, deadline]) : deadline;
		let raw: unknown;
		try {
			raw = await context.helpers.httpRequestWithAuthentication.call(
				withSignal(context, signal),
				CREDENTIAL,
				{ ...requestDefaults, method, url, timeout, ...(body && { body }) },
				{ credentialsDecrypted },
			);
		} catch (error) {
			const failure = readConnectionError(error);
			const effect = failure.outcome === 'unknown' ? 'possible' : 'none';
			return { kind: 'failed', failure, effect };
		}
		try {
			const response = helperResponse.parse(raw);
			return readAnswer(operation, { ...response, body: redact(response.body) });
		} catch {
			const failure = createFailure({ kind: 'badResponse', outcome: 'unknown' });
			return { kind: 'failed', failure, effect: 'possible' };
		}
	};
}

/**
 * Gives the context as n8n's helper sees it, with this signal instead of the execution's to abort.
 * The helper asks with `in` whether there is one; the context of a list search has none.
 */
export function withSignal<T extends object>(context: T, signal: AbortSignal): T {
	return Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as T;
}
