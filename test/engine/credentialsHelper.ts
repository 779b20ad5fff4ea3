import {
	ICredentialsHelper,
	isExpression,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	type INodeParameters,
} from 'n8n-workflow';

import { AssistantServiceApi } from '../../credentials/AssistantServiceApi.credentials';

const { authenticate, properties } = new AssistantServiceApi();

/** What is stored, or why it cannot be read; `undefined` if the node has no credential. */
export type Stored = ICredentialDataDecryptedObject | Error | undefined;

const refuse = () => Promise.reject(new Error('Not part of these tests'));

/** Stands for n8n's store of credentials; authentication is the credential type's own. */
export class StoredCredential extends ICredentialsHelper {
	constructor(private readonly stored: Stored) {
		super();
	}

	getParentTypes = () => [];

	isCredentialUsableByNode = () => true;

	getCredentialsProperties = () => properties;

	preAuthentication = () => Promise.resolve(undefined);

	runPreAuthentication = () => Promise.resolve(undefined);

	getCredentials = refuse;

	updateCredentials = refuse;

	updateCredentialsOauthTokenData = refuse;

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return await authenticate(credentials, request);
	}

	/** Evaluates the expressions of the credential as n8n does. */
	async getDecrypted(...asked: Parameters<ICredentialsHelper['getDecrypted']>) {
		const [, , , mode, executeData, , place] = asked;
		const { stored } = this;
		if (stored === undefined) throw new Error('The node has no credential');
		if (stored instanceof Error) throw stored;
		await Promise.resolve();
		if (!place || !Object.values(stored).some(isExpression)) return { ...stored };
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = place;
		const parameters = stored as INodeParameters;
		return workflow.expression.getParameterValue(
			...([parameters, runExecutionData, runIndex, itemIndex, node.name] as const),
			...([connectionInputData, mode, {}, executeData, false, parameters] as const),
		) as ICredentialDataDecryptedObject;
	}
}
