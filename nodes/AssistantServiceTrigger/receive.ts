import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { z } from 'zod';

import { isObject, toPlainText } from '../shared/values';
import { readCallEvent } from './callEvent';
import { readJsonObject } from './delivery';
import { isSecret } from './secret';

const WEBHOOK_CREDENTIAL = 'assistantServiceWebhookApi';

/** What n8n adds to the request of express. */
const n8nRequest = z.object({
	contentType: z.string().optional(),
	rawBody: z.instanceof(Buffer).optional(),
});

/** Checks a delivery, answers it, and starts an execution if it is good (S 6). */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	if (!(await isAuthenticated(context))) {
		return refuse(context, 401, 'The secret of the webhook is missing or wrong.');
	}
	const { contentType, rawBody } = n8nRequest.parse(context.getRequestObject());
	const body = readJsonObject(contentType, context.getBodyData(), rawBody);
	if (body === undefined) {
		return refuse(context, 400, 'Expected the properties of a call as a JSON object.');
	}
	const isRaw = context.getNodeParameter('options.output', 'simplified') === 'raw';
	const json: IDataObject = isRaw ? body : readCallEvent(body, new Date());
	return { workflowData: [[{ json }]] };
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

/** Without a credential nobody can know the secret, so that everything is refused. */
async function readCredential(
	context: IWebhookFunctions,
): Promise<ICredentialDataDecryptedObject | undefined> {
	try {
		const credential = await context.getCredentials(WEBHOOK_CREDENTIAL);
		return credential;
	} catch (error) {
		context.logger.warn(
			'The Assistant Service Trigger refuses everything: its credential cannot be read',
			{
				reason: error instanceof Error ? error.message : 'unknown',
			},
		);
		return undefined;
	}
}

/** Answers with an error status and starts no execution. */
function refuse(context: IWebhookFunctions, status: number, error: string): IWebhookResponseData {
	context.getResponseObject().status(status).json({ error });
	return { noWebhookResponse: true };
}
