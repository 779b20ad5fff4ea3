import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';
import { z } from 'zod';

import { readAnswer, type Answer, type ServiceResponse } from './answer';
import { readConnectionError } from './connectionError';
import { redact } from './redact';
import type { ServiceRequest } from './request';
import { toPlainText } from './values';

export const CREDENTIAL = 'assistantServiceApi';

/**
 * How every request goes out. Redirects are not followed: the key stays with the base address. Error
 * statuses are answers like others; what they mean is said in one place.
 */
export const requestDefaults: Omit<IHttpRequestOptions, 'url'> = {
	json: true,
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
};

/** Sends one request once and says what became of it. Never throws. */
export type Transport = (request: ServiceRequest) => Promise<Answer>;

/** The response as n8n's helper returns it with `returnFullResponse`. */
const helperResponse = z
	.object({
		statusCode: z.number(),
		headers: z.record(z.unknown()).default({}),
		body: z.unknown(),
	})
	.transform(({ statusCode, headers, body }): ServiceResponse => {
		const retryAfter = headers['retry-after'];
		return { status: statusCode, body, ...(typeof retryAfter === 'string' && { retryAfter }) };
	});

/**
 * The only place that knows HTTP. The credential is read once, by the caller, and its key is taken out
 * of everything that comes back.
 */
export function createTransport(
	context: IExecuteFunctions | ILoadOptionsFunctions,
	credential: ICredentialDataDecryptedObject,
): Transport {
	const key = toPlainText(credential.apiKey);
	const credentialsDecrypted = { id: '', name: CREDENTIAL, type: CREDENTIAL, data: credential };
	const patient = withoutCancellation(context);
	return async ({ operation, method, url, body, timeout }) => {
		const options = { ...requestDefaults, method, url, timeout, ...(body && { body }) };
		try {
			const raw: unknown = await context.helpers.httpRequestWithAuthentication.call(
				operation.repeatable ? context : patient,
				CREDENTIAL,
				options,
				{ credentialsDecrypted },
			);
			const response = helperResponse.parse(raw);
			return readAnswer(operation, { ...response, body: redact(response.body, key) });
		} catch (error) {
			return { accepted: false, failure: readConnectionError(error) };
		}
	};
}

/**
 * The context as n8n's helper sees it, without the signal that aborts requests: what was sent when an
 * execution is cancelled has reached someone, and its answer is awaited.
 */
function withoutCancellation<T extends object>(context: T): T {
	return new Proxy(context, {
		get: (target, property): unknown =>
			property === 'getExecutionCancelSignal' ? () => undefined : Reflect.get(target, property),
	});
}
