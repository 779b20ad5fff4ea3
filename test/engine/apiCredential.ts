import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';

import { testCredential as testOfNode } from '../../nodes/AssistantService/testCredential';
import { WORKSPACE_ID } from '../simulator/seed';
import { answerWith, useOtherServers, type Answerer } from '../otherServer';
import { createAdditionalData } from './engine';

export const KEY = 'key-0123456789/abc+DEF';

export const CONNECTED = {
	status: 'OK',
	message:
		'Connected: the service accepts the key for this workspace. Mode Live: calls and messages reach people.',
};

/** What the button "Test" says of these values. */
export const testCredential = async (
	data: ICredentialDataDecryptedObject | undefined,
): Promise<INodeCredentialTestResult> =>
	await testOfNode.call(new CredentialTestContext(createAdditionalData({})), {
		id: '1',
		name: 'Test',
		type: 'assistantServiceApi',
		...(data && { data }),
	});

export const answerJson = (status: number, body: unknown): Answerer =>
	answerWith(status, JSON.stringify(body));

/** Gives what the button "Test" says if a server answers everything in one way. */
export function useTestAt(): (answer: Answerer) => Promise<INodeCredentialTestResult> {
	const startServer = useOtherServers();
	return async (answer) => {
		const { baseUrl } = await startServer(answer);
		return await testCredential({
			baseUrl: `${baseUrl}/api`,
			apiKey: KEY,
			workspaceId: WORKSPACE_ID,
			mode: 'live',
		});
	};
}
