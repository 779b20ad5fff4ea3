import {
	NodeOperationError,
	UserError,
	type ICredentialDataDecryptedObject,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { isObject, toPlainText } from '../shared/values';
import { isAllowed, readAllowlist } from './ipAllowlist';
import { RecentReads } from './recentReads';
import { refusedBy, type Refused } from './deliveryRefusals';
import { isKnown } from './secret';
import { nameOfNode } from '../shared/nameOfNode';

const WEBHOOK_CREDENTIAL = 'assistantServiceWebhookApi';

const recentCredentials = new RecentReads<ICredentialDataDecryptedObject>();

/**
 * Checks the address of the sender, then the secret that it gives (S 6). Returns why the sender may not post, or
 * `undefined` if it may. Never throws.
 */
export async function authenticate(context: IWebhookFunctions): Promise<Refused | undefined> {
	return checkAddress(context) ?? (await checkSecret(context));
}

/** Rejects every sender if the list cannot be read. n8n does not activate a workflow with such a list. */
function checkAddress(context: IWebhookFunctions): Refused | undefined {
	try {
		const { ip } = context.getRequestObject();
		return isAllowed(readAllowlist(context), ip) ? undefined : { refused: 'addressNotListed' };
	} catch (error) {
		return refusedBy('allowlistUnreadable', error);
	}
}

async function checkSecret(context: IWebhookFunctions): Promise<Refused | undefined> {
	try {
		if (context.getNodeParameter('authentication', 'secret') === 'none') return undefined;
		const { credentials } = context.getNode();
		const hasPassed = await recentCredentials.someRead(
			`${nameOfNode(context)} ${credentials?.[WEBHOOK_CREDENTIAL]?.id ?? ''}`,
			Date.now(),
			async () => await context.getCredentials(WEBHOOK_CREDENTIAL),
			(credential) => knowsSecret(context, credential),
		);
		return hasPassed ? undefined : { refused: 'secretWrong' };
	} catch (error) {
		// A missing credential is final; a database that does not answer is not.
		const isMissing = error instanceof UserError || error instanceof NodeOperationError;
		return refusedBy(isMissing ? 'credentialMissing' : 'credentialUnreadable', error);
	}
}

function knowsSecret(
	context: IWebhookFunctions,
	credential: ICredentialDataDecryptedObject,
): boolean {
	const headerName = toPlainText(credential.headerName).toLowerCase();
	const { [headerName]: inHeader } = context.getHeaderData();
	const query: unknown = context.getQueryData();
	const inQuery = isObject(query) ? query.secret : undefined;
	return isKnown([inHeader, inQuery], credential);
}
