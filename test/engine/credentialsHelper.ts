import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
} from 'n8n-workflow';

import { AssistantServiceApi } from '../../credentials/AssistantServiceApi.credentials';

const TYPES: Record<string, ICredentialType> = {
	assistantServiceApi: new AssistantServiceApi(),
};

/** A credential, as n8n evaluates it for each item if it holds expressions. */
export type StoredCredential =
	ICredentialDataDecryptedObject | ((itemIndex: number) => ICredentialDataDecryptedObject);

/** What is stored by type, or why it cannot be read. */
export type Stored = Record<string, StoredCredential | Error>;

/** Stands for n8n's store of credentials; authentication is the credential type's own. */
class StoredCredentials extends ICredentialsHelper {
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
		___?: unknown,
		____?: unknown,
		_____?: unknown,
		evaluatedFor?: { readonly itemIndex: number },
	) {
		const credential = this.stored[type];
		if (credential === undefined) throw new Error(`No credential of type ${type}`);
		if (credential instanceof Error) throw credential;
		const data =
			typeof credential === 'function' ? credential(evaluatedFor?.itemIndex ?? 0) : credential;
		return await Promise.resolve({ ...data });
	}

	getCredentials = () => Promise.reject(new Error('Not part of these tests'));

	updateCredentials = async () => {
		await Promise.resolve();
	};

	updateCredentialsOauthTokenData = async () => {
		await Promise.resolve();
	};

	getCredentialsProperties = (type: string) => TYPES[type]?.properties ?? [];
}

export const createCredentialsHelper = (stored: Stored): ICredentialsHelper =>
	new StoredCredentials(stored);
