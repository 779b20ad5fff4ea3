import {
	NodeOperationError,
	UserError,
	type ICredentialDataDecryptedObject,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { CREDENTIAL } from '../shared/request/transport';
import { isObject, toPlainText } from '../shared/values';
import { isAllowed, readAllowlist } from './ipAllowlist';
import { RecentReads } from './recentReads';
import { refusedBy, type Refused } from './deliveryRefusals';
import { isKnown } from './secret';
import { nameOfNode } from '../shared/nameOfNode';

const recentCredentials = new RecentReads<ICredentialDataDecryptedObject>();

/** A sender that may post. */
export interface Sender {
	/** The one whose secret it knows; absent if it needs none. */
	readonly credential?: ICredentialDataDecryptedObject;
}

/**
 * Checks the address of the sender, then the secret that it gives (S 6). Returns why the sender may not post, if so. Never
 * throws.
 */
export async function authenticate(context: IWebhookFunctions): Promise<Refused | Sender> {
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

async function checkSecret(context: IWebhookFunctions): Promise<Refused | Sender> {
	try {
		if (context.getNodeParameter('authentication', 'secret') === 'none') return {};
		const { credentials } = context.getNode();
		const credential = await recentCredentials.get(
			`${nameOfNode(context)} ${credentials?.[CREDENTIAL]?.id ?? ''}`,
			Date.now(),
			async () => await context.getCredentials(CREDENTIAL),
			(read) => knowsSecret(context, read),
		);
		if (toPlainText(credential.webhookSecret) === '') return { refused: 'secretMissing' };
		return knowsSecret(context, credential) ? { credential } : { refused: 'secretWrong' };
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
	const headerName = toPlainText(credential.webhookHeader).toLowerCase();
	const { [headerName]: inHeader } = context.getHeaderData();
	const query: unknown = context.getQueryData();
	const inQuery = isObject(query) ? query.secret : undefined;
	return isKnown([inHeader, inQuery], credential);
}
