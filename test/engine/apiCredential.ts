import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';

import { testCredential as testOfNode } from '../../nodes/AssistantService/testCredential';
import { createAdditionalData } from './engine';

export const CONNECTED = {
	status: 'OK',
	message:
		'Connected: the service accepts the key for this workspace. Mode Live: calls and messages reach people.',
};

/** What the button "Test" says of these values. */
export const testCredential = async (
	data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> =>
	await testOfNode.call(new CredentialTestContext(createAdditionalData(undefined)), {
		id: '1',
		name: 'Test',
		type: 'assistantServiceApi',
		data,
	});
