import {
	NodeOperationError,
	UserError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { z } from 'zod';

import { isObject, toPlainText } from '../shared/values';
import { eventKeyOf, readCallEvent } from './callEvent';
import { readJsonObject } from './delivery';
import { isListed, parseAllowlist } from './ipAllowlist';
import { RepeatMemory } from './repeats';
import { isSecret } from './secret';

const WEBHOOK_CREDENTIAL = 'assistantServiceWebhookApi';

/** What n8n and express add to the request. */
const webhookRequest = z.object({
	ip: z.string().optional(),
	contentType: z.string().optional(),
	rawBody: z.instanceof(Buffer).optional(),
});

/** The name of the trigger's entry in n8n's static data. */
const STORED_REPEATS = 'repeats';

const repeatMemory = new RepeatMemory();

/** Checks a delivery, answers it, and starts an execution if it is good (S 6). */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { ip, contentType, rawBody } = webhookRequest.parse(context.getRequestObject());
	if (!isAllowedAddress(context, ip)) {
		return answer(context, 403, { error: 'The address of the sender is not on the IP allowlist.' });
	}
	try {
		if (!(await isAuthenticated(context))) {
			return answer(context, 401, { error: 'The secret of the webhook is missing or wrong.' });
		}
	} catch (error) {
		logProblem(context, error);
		return answer(context, 503, {
			error: 'The secret cannot be checked now. Send the event again.',
		});
	}
	const body = readJsonObject(contentType, context.getBodyData(), rawBody);
	if (body === undefined) {
		return answer(context, 400, { error: 'Expected the properties of a call as a JSON object.' });
	}
	if (isRepeat(context, body)) return answer(context, 200, { repeat: true });
	const isRaw = context.getNodeParameter('options.output', 'simplified') === 'raw';
	const json: IDataObject = isRaw ? body : readCallEvent(body, new Date());
	return { workflowData: [[{ json }]], webhookResponse: { received: true } };
}

/** A list that cannot be read lets nobody in; the workflow could not be activated with it. */
function isAllowedAddress(context: IWebhookFunctions, ip: string | undefined): boolean {
	const list = toPlainText(context.getNodeParameter('options.ipAllowlist', ''));
	if (list === '') return true;
	try {
		return isListed(parseAllowlist(list), ip);
	} catch {
		return false;
	}
}

/** A test execution is not a delivery: the same event may be tried again and again. */
function isRepeat(context: IWebhookFunctions, body: IDataObject): boolean {
	const isWanted = context.getNodeParameter('options.ignoreRepeats', true) === true;
	if (!isWanted || context.getMode() === 'manual') return false;
	const store = context.getWorkflowStaticData('node');
	const scope = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	const eventKey = eventKeyOf(body);
	const result = repeatMemory.register(scope, eventKey, store[STORED_REPEATS], Date.now());
	if (result.isRepeat) return true;
	store[STORED_REPEATS] = result.stored;
	// n8n answers with an error if it cannot start the execution; the sender then has to try again.
	const response = context.getResponseObject();
	response.once('finish', () => {
		if (response.statusCode >= 400) repeatMemory.forget(scope, eventKey);
	});
	return false;
}

async function isAuthenticated(context: IWebhookFunctions): Promise<boolean> {
	if (context.getNodeParameter('authentication', 'secret') === 'none') return true;
	const credential = await readCredential(context);
	if (credential === undefined) return false;
	const secret = toPlainText(credential.secret);
	const headerName = toPlainText(credential.headerName).toLowerCase();
	const { [headerName]: inHeader } = context.getHeaderData();
	const query: unknown = context.getQueryData();
	const isInHeader = isSecret(inHeader, secret);
	const isInQuery = isSecret(isObject(query) ? query.secret : undefined, secret);
	return isInHeader || isInQuery;
}

/**
 * Without a credential nobody can know the secret, so that everything is refused.
 *
 * @throws Error if the credential cannot be read now, for example because the database does not answer
 */
async function readCredential(
	context: IWebhookFunctions,
): Promise<ICredentialDataDecryptedObject | undefined> {
	try {
		const credential = await context.getCredentials(WEBHOOK_CREDENTIAL);
		return credential;
	} catch (error) {
		const isMissing = error instanceof UserError || error instanceof NodeOperationError;
		if (!isMissing) throw error;
		logProblem(context, error);
		return undefined;
	}
}

function logProblem(context: IWebhookFunctions, error: unknown): void {
	const reason = error instanceof Error ? error.message : 'unknown';
	context.logger.warn('The Assistant Service Trigger cannot read its credential', { reason });
}

/** Answers by itself and starts no execution. */
function answer(
	context: IWebhookFunctions,
	status: number,
	body: IDataObject,
): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}
