import type { INodeParameters } from 'n8n-workflow';

import { useOtherServers, type OtherServer } from '../otherServer';
import { ASSISTANT_ID } from '../simulator/seed';
import { runNode } from './engine';
import { useFastClock } from './fastClock';
import { credentialFor, useSimulator } from './world';

useFastClock();
const simulator = useSimulator();
const startServer = useOtherServers();

const updatePrompt: INodeParameters = {
	resource: 'assistant',
	operation: 'updatePrompt',
	assistantId: ASSISTANT_ID,
	prompt: 'New.',
	options: {},
};

const CONTINUE = { onError: 'continueRegularOutput' as const };

test('what broke off and then found nobody there may have taken effect', async () => {
	const server: OtherServer = await startServer(() => void server.stop());

	const { items } = await runNode({
		credential: { ...credentialFor(simulator()), baseUrl: server.baseUrl },
		parameters: updatePrompt,
		settings: CONTINUE,
	});

	expect(items[0]?.json.details).toMatchObject({ kind: 'unreachable', outcome: 'unknown' });
});

test('what broke off and was then refused may have taken effect', async () => {
	simulator().addFault({ kind: 'resetAfter', times: 1 });
	simulator().addFault({ kind: 'status', status: 403, times: 1 });

	const { items } = await runNode({
		credential: credentialFor(simulator()),
		parameters: updatePrompt,
		settings: CONTINUE,
	});

	expect(simulator().processed('updatePrompt')).toHaveLength(1);
	expect(items[0]?.json.details).toMatchObject({ kind: 'forbidden', outcome: 'unknown' });
});

test('a read that was refused at last had no effect before either', async () => {
	simulator().addFault({ kind: 'resetAfter', times: 1 });
	simulator().addFault({ kind: 'status', status: 403, times: 1 });

	const { items } = await runNode({
		credential: credentialFor(simulator()),
		parameters: { ...updatePrompt, operation: 'getPrompt' },
		settings: CONTINUE,
	});

	expect(items[0]?.json.details).toMatchObject({ kind: 'forbidden', outcome: 'refused' });
});
