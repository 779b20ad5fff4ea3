import {
	NodeOperationError,
	UserError,
	type ICredentialDataDecryptedObject,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { isObject, toPlainText } from '../shared/values';
import { isAllowed, readAllowlist } from './ipAllowlist';
import { RecentReads } from './recentReads';
import { isSecret } from './secret';

const WEBHOOK_CREDENTIAL = 'assistantServiceWebhookApi';

/** Whether the sender knows the secret; `unreadable` if n8n cannot read the credential now. */
export type Authentication = 'known' | 'unknown' | 'unreadable';

const recentCredentials = new RecentReads<ICredentialDataDecryptedObject>();

/** Compares the secret that the sender gives with that of the credential (S 6). Never throws. */
export async function authenticate(context: IWebhookFunctions): Promise<Authentication> {
	try {
		if (context.getNodeParameter('authentication', 'secret') === 'none') return 'known';
		const { id, credentials } = context.getNode();
		const isKnown = await recentCredentials.someRead(
			[context.getWorkflow().id, id, credentials?.[WEBHOOK_CREDENTIAL]?.id].join(' '),
			Date.now(),
			async () => await context.getCredentials(WEBHOOK_CREDENTIAL),
			(credential) => knowsSecret(context, credential),
		);
		return isKnown ? 'known' : 'unknown';
	} catch (error) {
		const reason = error instanceof Error ? error.message : 'unknown';
		context.logger.warn(
			`The trigger "${context.getNode().name}" of workflow ${context.getWorkflow().id} cannot check who sends: ${reason}`,
		);
		// A missing credential is final (401); a database that does not answer is not (503).
		const isMissing = error instanceof UserError || error instanceof NodeOperationError;
		return isMissing ? 'unknown' : 'unreadable';
	}
}

function knowsSecret(
	context: IWebhookFunctions,
	credential: ICredentialDataDecryptedObject,
): boolean {
	const secret = toPlainText(credential.secret);
	const headerName = toPlainText(credential.headerName).toLowerCase();
	const { [headerName]: inHeader } = context.getHeaderData();
	const query: unknown = context.getQueryData();
	const isInHeader = isSecret(inHeader, secret);
	const isInQuery = isSecret(isObject(query) ? query.secret : undefined, secret);
	return isInHeader || isInQuery;
}

/** A list that cannot be read lets nobody in; the workflow could not be activated with it. */
export function isAllowedAddress(context: IWebhookFunctions, ip: string | undefined): boolean {
	try {
		return isAllowed(readAllowlist(context), ip);
	} catch {
		return false;
	}
}
