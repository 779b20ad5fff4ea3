import {
	ICredentialsHelper,
	isExpression,
	type ICredentialDataDecryptedObject,
	type ICredentialsExpressionResolveValues,
	type ICredentialType,
	type IExecuteData,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeParameters,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { AssistantServiceApi } from '../../credentials/AssistantServiceApi.credentials';

const TYPES: Record<string, ICredentialType> = {
	assistantServiceApi: new AssistantServiceApi(),
};

/** What is stored by type, or why it cannot be read. */
export type Stored = Record<string, ICredentialDataDecryptedObject | Error>;

/** Evaluates the expressions of a credential as n8n does. */
function evaluated(
	data: ICredentialDataDecryptedObject,
	mode: WorkflowExecuteMode,
	executeData?: IExecuteData,
	of?: ICredentialsExpressionResolveValues,
): ICredentialDataDecryptedObject {
	if (!of || !Object.values(data).some(isExpression)) return { ...data };
	const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = of;
	return workflow.expression.getParameterValue(
		...([data as INodeParameters, runExecutionData, runIndex, itemIndex, node.name] as const),
		...([connectionInputData, mode, {}, executeData, false, data as INodeParameters] as const),
	) as ICredentialDataDecryptedObject;
}

/** Stands for n8n's store of credentials; authentication is the credential type's own. */
export class StoredCredentials extends ICredentialsHelper {
	constructor(private readonly stored: Stored) {
		super();
	}

	getParentTypes = () => [];

	isCredentialUsableByNode = () => true;

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const authenticate = TYPES[typeName]?.authenticate;
		if (typeof authenticate !== 'function') throw new Error(`${typeName} does not authenticate`);
		return await authenticate(credentials, request);
	}

	preAuthentication = () => Promise.resolve(undefined);

	runPreAuthentication = () => Promise.resolve(undefined);

	async getDecrypted(
		_: unknown,
		__: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		evaluatedFor?: ICredentialsExpressionResolveValues,
	) {
		const credential = this.stored[type];
		if (credential === undefined) throw new Error(`No credential of type ${type}`);
		if (credential instanceof Error) throw credential;
		return await Promise.resolve(evaluated(credential, mode, executeData, evaluatedFor));
	}

	getCredentials = () => Promise.reject(new Error('Not part of these tests'));

	updateCredentials = () => Promise.reject(new Error('Not part of these tests'));

	updateCredentialsOauthTokenData = () => Promise.reject(new Error('Not part of these tests'));

	getCredentialsProperties = (type: string) => TYPES[type]?.properties ?? [];
}
